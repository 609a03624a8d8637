#!/usr/bin/env python3
"""Write a Checklists.plist as an iOS app's NSKeyedArchiver would.

    make_checklists.py FILE xml|binary ringing|old|plain

ringing: two lists; of their items two ring on 2026-11-21 at 08:00 UTC (written with 42 seconds), the others must not.
old: one item before 1970, one after. plain: no archive but an array of texts. Needs the standard library only.
"""

import datetime
import plistlib
import sys
from plistlib import UID

DUE = datetime.datetime(2026, 11, 21, 8, 0, 42)
PAST = datetime.datetime(2014, 5, 1, 8, 0, 0)
LATER = datetime.datetime(2027, 1, 1, 8, 0, 0)
EPOCH = datetime.datetime(2001, 1, 1)

# Text, checked, due, should remind, number.
RINGING = {
    "Groceries": [
        ("Rings", False, DUE, True, 0),
        ("Checked", True, DUE, True, 1),
        ("Flag off", False, DUE, False, 2),
        ("Past", False, PAST, True, 3),
    ],
    "Work": [
        ("Rings too — Zürich ☎", False, DUE, True, 4),
        ("Later", False, LATER, True, 5),
        ("Undated", False, None, True, 6),
    ],
}
OLD = {"Old": [("Ancient", False, datetime.datetime(1969, 12, 31, 23, 59), True, 0), ("Young", False, LATER, True, 1)]}


def archive(lists):
    objects = ["$null"]

    def add(value):
        objects.append(value)
        return UID(len(objects) - 1)

    def class_(*names):
        return add({"$classname": names[0], "$classes": list(names)})

    item_class = class_("Checklists.ChecklistItem", "NSObject")
    list_class = class_("Checklists.Checklist", "NSObject")
    array_class = class_("NSMutableArray", "NSArray", "NSObject")
    date_class = class_("NSDate", "NSObject")

    def item(text, checked, due, remind, number):
        date = UID(0)
        if due:
            date = add({"NS.time": (due - EPOCH).total_seconds(), "$class": date_class})
        return add(
            {
                "Text": add(text), "Checked": checked, "DueDate": date, "ShouldRemind": remind, "ItemID": number,
                "$class": item_class,
            }
        )

    def array(elements):
        return add({"NS.objects": elements, "$class": array_class})

    roots = [
        add({"Name": add(name), "IconName": add("Folder"), "Items": array([item(*i) for i in items]), "$class": list_class})
        for name, items in lists.items()
    ]
    return {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"Checklists": array(roots)}, "$objects": objects}


def in_xml(value):
    if isinstance(value, UID):
        return {"CF$UID": value.data}
    if isinstance(value, dict):
        return {key: in_xml(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [in_xml(inner) for inner in value]
    return value


def main(path, form, kind):
    content = {"ringing": lambda: archive(RINGING), "old": lambda: archive(OLD), "plain": lambda: ["Milk", "Eggs", "Milk"]}
    value = content[kind]()
    with open(path, "wb") as file:
        if form == "xml":
            plistlib.dump(in_xml(value), file, fmt=plistlib.FMT_XML, sort_keys=False)
        else:
            plistlib.dump(value, file, fmt=plistlib.FMT_BINARY, sort_keys=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
