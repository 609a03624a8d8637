"""Answers recurrence questions with python-dateutil.

Reads a file with one question a line, START<tab>RULE<tab>LAST YEAR<tab>COUNT, and writes one answer a line: at most
COUNT occurrences, separated by commas, up to the end of LAST YEAR. Needs: pip install python-dateutil
"""

import datetime
import itertools
import sys
import warnings

from dateutil.rrule import rrulestr

warnings.simplefilter("ignore")


def answer(line):
    start, rule, last_year, count = line.rstrip("\n").split("\t")
    # dateutil walks up to this year before it gives up; the default of 9999 takes seconds for a rule without a match.
    datetime.MAXYEAR = int(last_year)
    anchor = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S")
    try:
        found = list(itertools.islice(rrulestr(rule, dtstart=anchor), int(count)))
    except ValueError as problem:
        # dateutil refuses some rules that can never match, with messages that end in "empty set." or "empty rule."
        if "empty" not in str(problem):
            raise
        found = []
    return ",".join(moment.strftime("%Y%m%dT%H%M%S") for moment in found if moment.year <= int(last_year))


with open(sys.argv[1], encoding="ascii") as questions, open(sys.argv[2], "w", encoding="ascii") as answers:
    for question in questions:
        answers.write(answer(question) + "\n")
