#!/usr/bin/env python3
"""Write property lists as iOS checklist apps wrote them, sound ones and damaged ones.

    make_archives.py FOLDER

Each file comes as NAME.xml.plist and NAME.bin.plist. Names that start with "bad-" are damaged as a whole, those that start
with "part-" have some entries that cannot be taken, those that start with "foreign-" are of other apps, all others are
sound. Needs the standard library only.
"""

import datetime
import pathlib
import plistlib
import sys
from plistlib import UID

EPOCH = datetime.datetime(2001, 1, 1)
DUE = datetime.datetime(2026, 11, 21, 8, 0, 42)


class Archive:
    """The object table of an NSKeyedArchiver archive."""

    def __init__(self, archiver="NSKeyedArchiver"):
        self.objects = ["$null"]
        self.classes = {}
        self.strings = {}
        self.archiver = archiver

    def add(self, value):
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def class_(self, *names):
        if names not in self.classes:
            self.classes[names] = self.add({"$classname": names[0], "$classes": list(names)})
        return self.classes[names]

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = self.add(text)
        return self.strings[text]

    def mutable_string(self, text):
        return self.add({"NS.string": text, "$class": self.class_("NSMutableString", "NSString", "NSObject")})

    def date(self, moment):
        seconds = moment if isinstance(moment, float) else (moment - EPOCH).total_seconds()
        return self.add({"NS.time": seconds, "$class": self.class_("NSDate", "NSObject")})

    def array(self, elements, mutable=False):
        names = ("NSMutableArray", "NSArray", "NSObject") if mutable else ("NSArray", "NSObject")
        return self.add({"NS.objects": elements, "$class": self.class_(*names)})

    def item(self, text, checked=False, due=None, remind=None, number=None, name="Checklists.ChecklistItem", **more):
        fields = {"Checked": checked, "$class": self.class_(name, "NSObject")}
        if text is not None:
            fields["Text"] = text if isinstance(text, UID) else self.string(text)
        if number is not None:
            fields.update(ItemID=number, ShouldRemind=remind or False, DueDate=self.date(due) if due else UID(0))
        fields.update(more)
        return self.add(fields)

    def list(self, title, items, name="Checklists.Checklist", mutable=False):
        # Room for the list comes first: the archiver numbers an object before what it holds.
        place = self.add(None)
        self.objects[place.data] = {
            "Name": self.string(title),
            "Items": self.array(items, mutable),
            "IconName": self.string("Groceries"),
            "$class": self.class_(name, "NSObject"),
        }
        return place

    def plist(self, **roots):
        top = roots or {}
        return {"$version": 100000, "$archiver": self.archiver, "$top": top, "$objects": self.objects}


def with_module(module, mangled=False):
    """An archive of the last chapter's app, with classes of a module."""
    archive = Archive()

    def name(of):
        if mangled:
            return f"_TtC{len(module)}{module}{len(of)}{of}"
        return f"{module}.{of}" if module else of

    item, lists = name("ChecklistItem"), name("Checklist")
    groceries = [
        archive.item("Buy milk", False, DUE, True, 0, item),
        archive.item("Café crème", True, DUE, False, 1, item),
        archive.item("Call mum\nabout Sunday\r\nand the cake", False, None, False, 2, item),
    ]
    work = [archive.item(archive.mutable_string("Report"), False, datetime.datetime(2014, 1, 1), True, 3, item)]
    root = [
        archive.list("Groceries", groceries, lists),
        archive.list("Work", work, lists, mutable=True),
        archive.list("Empty", [], lists),
    ]
    return archive.plist(Checklists=archive.array(root, mutable=True))


def first_chapters():
    """Items without lists, and without due dates."""
    archive = Archive()
    items = [archive.item("Walk the dog"), archive.item("Brush teeth", True)]
    return archive.plist(ChecklistItems=archive.array(items))


def boxed_numbers():
    """Numbers and truth values as objects of their own."""
    archive = Archive()
    item = archive.item(
        "Boxed", archive.add(True), number=archive.add(7), remind=archive.add(1), due=DUE
    )
    return archive.plist(Checklists=archive.array([archive.list("Boxes", [item])]))


def codable(lists=True):
    items = [
        {"text": "Buy milk", "checked": False, "dueDate": DUE, "shouldRemind": True, "itemID": 0},
        {"text": "Eggs", "checked": True, "dueDate": DUE, "shouldRemind": False, "itemID": 1},
    ]
    if lists:
        return [
            {"name": "Groceries", "iconName": "Groceries", "items": items},
            {"name": "Empty", "iconName": "Folder", "items": []},
        ]
    return [{"text": "Walk the dog", "checked": False}, {"text": "Brush teeth", "checked": True}]


IDS = ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "0F0E0D0C-0B0A-4908-8706-050403020100"]


def todo_items():
    return {
        IDS[0]: {"title": "Later", "deadline": datetime.datetime(2030, 1, 1), "UUID": IDS[0]},
        IDS[1]: {"title": "Sooner", "deadline": DUE, "UUID": IDS[1]},
    }


def foreign():
    """Archives of other apps: each has the objects of all, and one of them as its root."""
    archive = Archive()

    def of(name, *more, **fields):
        return archive.add({**fields, "$class": archive.class_(name, *more, "NSObject")})

    note = of("Notes.Note", Title=archive.string("Notiz 漢字"), Checked=True, Size=2**62, Weight=-0.0, Bytes=b"\x00\xff")
    archive.objects[note.data]["Self"] = note
    pairs = {"NS.keys": [archive.string("a"), UID(0)], "NS.objects": [archive.add(1), archive.add(0.5)]}
    roots = {
        "array": archive.array([archive.string("Milk"), archive.string("Bread")]),
        "data": of("NSMutableData", "NSData", **{"NS.data": bytes(range(256))}),
        "date": archive.date(DUE),
        "dictionary": of("NSDictionary", **pairs),
        "note": note,
        "set": of("NSMutableSet", "NSSet", **{"NS.objects": [archive.string("Milk")]}),
        "url": of("NSURL", **{"NS.base": UID(0), "NS.relative": archive.string("https://example.org/a?b=c#d")}),
        "uuid": of("NSUUID", **{"NS.uuidbytes": bytes(range(16))}),
    }
    for name, root in roots.items():
        yield f"foreign-{name}", archive.plist(root=root)


def partly_bad_archive():
    archive = Archive()
    good = archive.item("Good", number=1, remind=True, due=DUE)
    shared = archive.item("On two lists", number=2, remind=False)
    looped = archive.array([])
    archive.objects[looped.data]["NS.objects"] = [looped]
    items = [
        good,
        archive.item(None),
        archive.item(archive.add(12)),
        archive.item(""),
        archive.item(" \n\t"),
        archive.item("Old", number=3, due=datetime.datetime(1969, 12, 31, 23, 59, 59)),
        archive.item("Not a date", number=4, due=float("nan")),
        archive.item("Far", number=5, due=datetime.datetime(9999, 12, 31, 23, 59, 59)),
        archive.item("Beyond", number=6, due=1e13),
        archive.item("Negative", number=-1),
        archive.item("Checked twice", checked=2),
        archive.item("Unsure", checked=archive.string("yes")),
        archive.item("Text for a date", number=8, DueDate=archive.string("tomorrow")),
        archive.item("Text for a number", number=archive.string("nine")),
        archive.item("Button", name="UIKit.UIButton"),
        archive.item(UID(99999)),
        UID(99999),
        UID(0),
        good,
        shared,
        looped,
        "inline text",
        {"Text": "no class", "Checked": False},
        archive.item("Last", number=1),
    ]
    del archive.objects[items[1].data]["Checked"]
    unchecked = archive.item("No Checked")
    del archive.objects[unchecked.data]["Checked"]
    items.append(unchecked)
    mine = archive.list("Mine", items)
    nameless = archive.list("x", [])
    del archive.objects[nameless.data]["Name"]
    itemless = archive.list("Itemless", [])
    del archive.objects[itemless.data]["Items"]
    mistyped = archive.list("Mistyped", [])
    archive.objects[mistyped.data]["Items"] = archive.string("milk")
    recursive = archive.list("Recursive", [])
    archive.objects[recursive.data]["Items"] = archive.array([recursive])
    lists = [
        mine,
        nameless,
        itemless,
        mistyped,
        recursive,
        archive.list("Other", [shared]),
        archive.list(" ", []),
        archive.list("Two\nlines", []),
        mine,
        good,
    ]
    root = archive.array(lists)
    archive.objects[root.data]["NS.objects"].append(root)
    return archive.plist(Checklists=root)


def partly_bad_codable():
    good = {"text": "Good", "checked": False}
    return [
        {
            "name": "Mine",
            "items": [good, {}, {"text": 5, "checked": False}, {"text": "x"}, "text", {**good, "dueDate": 1.5}],
        },
        {"name": "Itemless"},
        {"items": [good]},
        {"name": "Mistyped", "items": {"text": "milk"}},
        "text",
    ]


def partly_bad_todo_items():
    return {
        "todoItems": {
            IDS[0]: {"title": "Good", "deadline": DUE, "UUID": IDS[0]},
            IDS[1]: {"title": "Other", "deadline": DUE, "UUID": IDS[0]},
            "no-uuid": {"title": "Keyless", "deadline": DUE},
            "00000000-0000-4000-8000-000000000001": {"deadline": DUE},
            "00000000-0000-4000-8000-000000000002": {"title": "Typed", "deadline": "soon"},
            "00000000-0000-4000-8000-000000000003": "text",
            "00000000-0000-4000-8000-000000000004": {"title": "Whenever"},
        },
        "AppleLanguages": ["de"],
    }


def files():
    yield "archive", with_module("Checklists")
    yield "archive-other-module", with_module("My_App")
    yield "archive-objc", with_module("")
    yield "archive-mangled", with_module("Checklists", mangled=True)
    yield "archive-items", first_chapters()
    yield "archive-boxed", boxed_numbers()
    yield "archive-empty", (lambda a: a.plist(Checklists=a.array([])))(Archive())
    yield "codable", codable()
    yield "codable-items", codable(lists=False)
    yield "codable-empty", []
    yield "shopping", ["Milk", "Bread", "Café ☕️"]
    yield "todo-items", todo_items()
    yield "todo-defaults", {"todoItems": todo_items(), "AppleLanguages": ["de", "en"]}
    yield "part-archive", partly_bad_archive()
    yield "part-codable", partly_bad_codable()
    yield "part-shopping", ["Milk", 5, "", ["nested"], "Bread\nrye"]
    yield "part-todo", partly_bad_todo_items()
    yield from foreign()
    yield "bad-no-objects", {"$archiver": "NSKeyedArchiver", "$top": {"Checklists": UID(1)}}
    yield "bad-no-top", {"$archiver": "NSKeyedArchiver", "$objects": ["$null"]}
    yield "bad-mistyped-frame", {"$top": ["Checklists"], "$objects": "none"}
    yield "bad-empty-top", Archive().plist()
    yield "bad-other-root", (lambda a: a.plist(root=a.array([])))(Archive())
    yield "bad-other-archiver", (lambda a: a.plist(Checklists=a.array([])))(Archive("NRKeyedArchiver"))
    yield "bad-root-missing", Archive().plist(Checklists=UID(7))
    yield "bad-root-null", Archive().plist(Checklists=UID(0))
    yield "bad-root-class", (lambda a: a.plist(Checklists=a.item("An item")))(Archive())
    yield "bad-root-text", (lambda a: a.plist(Checklists=a.string("text")))(Archive())
    yield "bad-root-loop", (lambda a: a.plist(Checklists=a.add(UID(1))))(Archive())
    yield "bad-dictionary", {"name": "value"}
    yield "bad-number", 5
    yield "bad-numbers", [1, 2, 3]
    yield "bad-todo-array", {"todoItems": ["Milk"]}


def in_xml(value):
    """The value with references as XML has them, and without what XML cannot hold."""
    if isinstance(value, UID):
        return {"CF$UID": value.data}
    if isinstance(value, dict):
        return {key: in_xml(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [in_xml(inner) for inner in value]
    return value


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in files():
        (folder / f"{name}.bin.plist").write_bytes(plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False))
        (folder / f"{name}.xml.plist").write_bytes(plistlib.dumps(in_xml(value), sort_keys=False))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
