"""Draws the config of a house of a hundred people, and how it changes over a year."""

import copy
import json

PEOPLE, ESCALATIONS, CATEGORIES = 100, 24, 20
# Categories whose reminders nag where they have no escalation: they always have one.
LASTING = ["lasting-0", "lasting-1"]
LISTS = ["Family", "Farm", "Home", "Work", "Garden"]
LISTS_WITH_ESCALATIONS = ["Fam*", "farm"]
ROOMS, MAILS = ["kitchen", "office", "siren"], ["mail", "post", "letters"]
ACTIONS = [
    {"identifier": "ack", "title": "OK", "do": "acknowledge"},
    {"identifier": "later", "title": "Later", "do": "snooze", "for": "10m"},
    {"identifier": "done", "title": "Done", "do": "check"},
    {"identifier": "trash", "title": "Delete", "do": "delete"},
]


class Household:
    def __init__(self, random, first_day):
        self.random, self.first_day = random, first_day
        self.data = {
            "store": {"type": "sqlite", "path": "unused"},
            "sinks": self.sinks(), "people": {}, "escalations": {}, "categories": {}, "lists": {},
            "routes": [], "actions": ACTIONS,
        }
        for number in range(PEOPLE):
            self.data["people"][f"person-{number}"] = self.person(number)
        for number in range(ESCALATIONS):
            self.data["escalations"][f"escalation-{number}"] = self.steps()
        for name in LASTING + [f"category-{number}" for number in range(CATEGORIES)]:
            self.data["categories"][name] = self.rule()
        self.data["lists"] = {pattern: self.rule() for pattern in LISTS_WITH_ESCALATIONS}
        self.data["routes"] = [{"lists": ["Work"], "sinks": self.names(3)}, {"sinks": ["screen", *self.names(1)]}]

    def text(self):
        return json.dumps(self.data)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    # Sinks and people

    def sinks(self):
        sinks = {name: {} for name in [f"phone-{number}" for number in range(10)] + ROOMS + ["screen"]}
        for name in MAILS:
            sinks[name] = {"to": [f"{name}@example.org"]}
        sinks["letters"]["to"].append("hall@example.org")
        sinks["pager"] = {"to": ["pager@example.org"]}
        sinks["post"]["group_by"] = "all"
        # What is given up is given up at a second at which nothing else happens.
        for name in self.random.sample(list(sinks), 14):
            sinks[name]["retry"] = {"max_age": self.random.choice(["3m7s", "23m7s", "2h7s"])}
        sinks["phone-3"]["quiet_hours"] = sinks["letters"]["quiet_hours"] = self.quiet_hours()
        sinks["phone-5"]["withdraws"] = sinks["post"]["withdraws"] = True
        for sink in sinks.values():
            sink["type"] = "recorder"
        return sinks

    def quiet_hours(self):
        time = self.random.randrange
        hours = self.random.choice([(20, 24, 5, 9), (11, 13, 13, 16), (0, 2, 4, 7)])
        return {"from": f"{time(*hours[:2]):02}:{time(60):02}", "to": f"{time(*hours[2:]):02}:{time(60):02}"}

    def person(self, number):
        person = {}
        if number == 10:
            person["sinks"] = ["pager"]
        elif number < 10:
            person["sinks"] = [f"phone-{number}"] + (["mail"] if self.chance(50) else [])
        elif number < 20:
            person["sinks"] = [self.random.choice(ROOMS[:2])]
        else:
            person["sinks"] = self.random.sample(MAILS, 1 + self.chance(10))
        if self.chance(90):
            person["address"] = f"person-{number}@example.org"
        if self.chance(25):
            person["quiet_hours"] = self.quiet_hours()
        if self.chance(40):
            person["away"] = self.absences()
        return person

    def absences(self):
        absences = []
        for _ in range(self.random.randint(1, 5)):
            begin, length = self.random.randint(0, 360), self.random.randint(0, 20)
            days = [self.day(begin), self.day(begin + length)]
            if self.chance(30):
                times = [f" 0{self.random.randrange(5, 8)}:{self.random.randrange(60):02}", " 18:00"]
                days = [day + time for day, time in zip(days, times)]
            absences.append({"from": days[0], "until": days[1]})
        return absences

    def day(self, number):
        return f"{self.first_day.fromordinal(self.first_day.toordinal() + number):%Y-%m-%d}"

    # Escalations

    def names(self, most):
        count = self.random.choice([1, 1, 1, 2, 2, most])
        names = [f"person-{self.random.randrange(PEOPLE)}" for _ in range(count)]
        if self.chance(12):
            names.append(self.random.choice(["siren", "kitchen", "phone-4", "letters", "pager"]))
        return list(dict.fromkeys(names))

    def steps(self):
        count = self.random.choice([1, 2, 2, 4] + [3] * 16)
        paces = [[5, 10, 15, 20, 30], [10, 30, 45, 60, 90], [60, 150, 360, 600], [90, 1440, 1530, 2880]]
        pace = self.random.choice(paces)
        after = [0] + sorted(self.random.sample(pace, count - 1))
        steps = []
        for number, minutes in enumerate(after):
            step = {"to": self.names(4)}
            if number:
                step["after"] = self.duration(minutes)
            if self.chance(45):
                step["every"] = self.random.choice(["3m", "5m", "10m", "10m", "25m", "1h"])
                if self.chance(95):
                    step["times"] = self.random.randint(1, 3)
            steps.append(step)
        return steps

    def duration(self, minutes):
        """As days on the wall clock or as hours, where there are any."""
        days, rest = divmod(minutes, 1440)
        if days and self.chance(50):
            return f"{days}d" + (f"{rest}m" if rest else "")
        return f"{minutes // 60}h{minutes % 60}m" if minutes > 90 and minutes % 60 else f"{minutes}m"

    def rule(self):
        rule = {"escalation": f"escalation-{self.random.randrange(ESCALATIONS)}"}
        if self.chance(35):
            rule["again_after"] = self.random.choice(["20m", "1h", "1h", "5h", "1d"])
            if self.chance(50):
                rule["again"] = self.random.choice(["once", "always"])
        return rule

    # A config that changes

    def change(self):
        """Changes a few things."""
        self.data = copy.deepcopy(self.data)
        for _ in range(self.random.randint(10, 20)):
            self.random.choice([self.change_steps] * 6 + [self.change_person] * 3
                               + [self.change_category, self.change_list, self.change_sink, self.change_routes])()

    def change_steps(self):
        name = f"escalation-{self.random.randrange(ESCALATIONS)}"
        steps = self.data["escalations"][name]
        if len(steps) > 1 and self.chance(50):
            steps.pop()
        elif self.chance(50):
            step = self.random.choice(steps)
            step["to"] = self.names(4)
            step.pop("every", None)
            step.pop("times", None)
        else:
            self.data["escalations"][name] = self.steps()

    def change_person(self):
        number = self.random.randrange(PEOPLE)
        person = self.person(number)
        if self.chance(30) and "address" in person:
            person["address"] = f"new-{number}@example.org"
        self.data["people"][f"person-{number}"] = person

    def change_category(self):
        name = f"category-{self.random.randrange(CATEGORIES)}"
        self.data["categories"][name] = self.rule() if self.chance(60) else {}

    def change_list(self):
        self.data["lists"][self.random.choice(LISTS_WITH_ESCALATIONS)] = self.rule()

    def change_sink(self):
        name = self.random.choice(["phone-6", "phone-7", "kitchen", "letters", "siren"])
        self.data["sinks"][name]["enabled"] = not self.data["sinks"][name].get("enabled", True)

    def change_routes(self):
        self.data["routes"][0]["sinks"] = self.names(3)
