"""Wall-clock times, instants and repeats, as contract.md defines them. Needs python-dateutil."""

import re
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

from dateutil.rrule import rruleset, rrulestr

MINUTE, DAY = 60, 86400


def wall(text):
    return None if text is None else datetime.strptime(text, "%Y-%m-%dT%H:%M")


@lru_cache(None)
def instant(time, zone):
    """A time that is skipped moves forward by the gap, of one that comes twice the first is meant: both are fold=0."""
    return int(time.replace(tzinfo=ZoneInfo(zone), fold=0).timestamp())


def wall_at(seconds, zone):
    return datetime.fromtimestamp(seconds, ZoneInfo(zone)).replace(tzinfo=None, second=0, microsecond=0, fold=0)


@lru_cache(None)
def duration(text):
    """Days on the wall clock and exact minutes of an ISO 8601 duration."""
    parts = {unit: int(number) for number, unit in re.findall(r"(\d+)([WDHMS])", text)}
    return parts.get("W", 0) * 7 + parts.get("D", 0), parts.get("H", 0) * 60 + parts.get("M", 0)


@lru_cache(None)
def span(text):
    """The same of a duration as a config has it, such as 1d or 1h30m."""
    parts = {unit: int(number) for number, unit in re.findall(r"(\d+)([wdhm])", text)}
    return parts.get("w", 0) * 7 + parts.get("d", 0), parts.get("h", 0) * 60 + parts.get("m", 0)


def seconds(text):
    """The seconds of a duration such as 24h or 20m7s."""
    return sum(int(number) * {"h": 3600, "m": 60, "s": 1}[unit] for number, unit in re.findall(r"(\d+)([hms])", text))


def minute(seconds):
    """The minute of an instant."""
    return seconds // MINUTE * MINUTE


def moved(seconds, days, minutes, zone):
    """The minute that lies exact minutes, and then days on the wall clock, after an instant."""
    seconds = minute(seconds) + minutes * MINUTE
    return instant(wall_at(seconds, zone) + timedelta(days=days), zone) if days else seconds


def later(seconds, length, zone):
    """The minute that lies an ISO 8601 duration after an instant."""
    return moved(seconds, *duration(length), zone)


def local_rule(rule, zone):
    """The rule with an UNTIL in UTC on the wall clock."""
    def convert(match):
        utc = datetime.strptime(match[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
        return "UNTIL=" + utc.astimezone(ZoneInfo(zone)).strftime("%Y%m%dT%H%M%S")
    rule = re.sub(r"UNTIL=(\d{8}T\d{6}Z)", convert, rule)
    # A date alone includes its whole day.
    return re.sub(r"UNTIL=(\d{8})(?=;|$)", r"UNTIL=\1T235959", rule)


def recurrence(rule, start):
    """The times of a rule from a start on; COUNT counts the start first, on the rule or off it (RFC 5545, 3.8.5.3)."""
    count = re.search(r";COUNT=(\d+)", rule)
    if not count or rrulestr(rule.replace(count[0], ""), dtstart=start).after(start, inc=True).replace(second=0) == start:
        return rrulestr(rule, dtstart=start)
    times = rruleset()
    times.rdate(start)
    if int(count[1]) > 1:
        times.rrule(rrulestr(rule.replace(count[0], f";COUNT={int(count[1]) - 1}"), dtstart=start))
    return times


@lru_cache(None)
def occurrences(rule, start, horizon):
    found = []
    for time in recurrence(rule, start):
        if time > horizon:
            break
        found.append(time.replace(second=0))
    return found
