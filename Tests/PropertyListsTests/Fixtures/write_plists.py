"""Write random property lists and print them: write_plists.py FOLDER COUNT. Needs the standard library only."""

import datetime
import pathlib
import plistlib
import random
import sys

from print_plists import show


def text(pick):
    ranges = [(0x20, 0x7E)] * 3 + [(0x09, 0x0A), (0xA0, 0x7FF), (0x800, 0xD7FF), (0x10000, 0x1F9FF)]
    return "".join(chr(pick.randint(*pick.choice(ranges))) for _ in range(pick.choice([0, 1, 5, 14, 15, 16, 40])))


def value(pick, depth, uids):
    kind = pick.randrange(10 if depth < 4 else 7)
    if kind in (0, 1):
        return text(pick)
    if kind == 2:
        return pick.choice([0, 1, -1, 255, 256, 65536, 2**32, 2**63 - 1, -(2**63), pick.randint(-(10**6), 10**6)])
    if kind == 3:
        return pick.choice([0.5, -0.0, 1e300, 5e-324, pick.random(), pick.uniform(-1e6, 1e6)])
    if kind == 4:
        return pick.random() < 0.5
    if kind == 5:
        return datetime.datetime(1, 1, 1) + datetime.timedelta(seconds=pick.randrange(3155378975 * 100))
    if kind == 6:
        return plistlib.UID(pick.randrange(2**32)) if uids and depth else bytes(pick.randbytes(pick.randrange(40)))
    if kind == 7:
        return [value(pick, depth + 1, uids) for _ in range(pick.choice([0, 1, 3, 20]))]
    return {text(pick): value(pick, depth + 1, uids) for _ in range(pick.choice([0, 1, 3, 30]))}


def main(folder, count):
    folder.mkdir(parents=True)
    for number in range(count):
        for name, fmt, uids in (("xml", plistlib.FMT_XML, False), ("bin", plistlib.FMT_BINARY, True)):
            path = folder / f"{number}.{name}.plist"
            path.write_bytes(plistlib.dumps(value(random.Random(number), 0, uids), fmt=fmt, sort_keys=number % 2 == 0))
            show(path)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
