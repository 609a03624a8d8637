"""Items and lists with their reminders: planned ones, snoozes, and the steps of escalations."""

from datetime import timedelta

from times import MINUTE, duration, instant, local_rule, minute, occurrences


class Reminder:
    """One ringing of an occurrence; a snooze is told apart by its minute, a step by its place."""

    def __init__(self, owner, kind, time, lead, fire_date, place=None, run=None):
        self.owner, self.kind, self.time, self.lead, self.fire_date = owner, kind, time, lead, fire_date
        self.place, self.run = place, run
        self.state, self.deliveries, self.note = "scheduled", [], ""
        self.is_again = False  # a snooze that an acknowledgement scheduled
        self.is_next = False   # the next of its repeat and lead: the others follow it

    @property
    def key(self):
        return self.kind, self.time, self.lead, self.place

    @property
    def step(self):
        """Its step and ring; those of a ringing itself are 1 and 1."""
        return self.place[1:] if self.kind == "step" else (1, 1)

    def is_ended(self):
        """Whether nothing more is to be sent about it."""
        owner = self.owner
        return owner.is_gone or owner.checked or owner.has_moved_beyond(self.time) or (
            owner.in_force(self.time, self.lead) is not None)

    def __str__(self):
        place = " ".join(map(str, self.place)) if self.kind == "step" else ""
        words = f"{self.owner.name} {self.time:%Y-%m-%dT%H:%M} {self.lead} {self.kind} {place}".rstrip()
        return f"{words} {self.fire_date}{self.note}"


class Run:
    """One run of an escalation, begun by a ringing."""

    def __init__(self, ringing, start, number):
        self.ringing, self.start, self.number = ringing, start, number

    def scheduled(self, step=None):
        """Its scheduled rings, or those of one step."""
        return [each for each in self.ringing.owner.steps() if each.run is self and step in (None, each.step[0])]

    def schedule(self, step, ring, fire_date):
        ringing = self.ringing
        ringing.owner.schedule(
            Reminder(ringing.owner, "step", ringing.time, ringing.lead, fire_date, (self.number, step, ring), self))


class Owner:
    """An item, or a list's own reminder."""

    def __init__(self, world, name, list_name, event):
        self.world, self.name, self.list_name = world, name, list_name
        self.text = "as added"
        self.due = self.start = event["due"]
        self.zone_name, self.remind, self.rule = event["zone"], event.get("remind", True), event["rule"]
        self.alerts = tuple(event.get("alerts") or ["PT0S"])
        self.category = event.get("category")
        self.checked = self.checked_at = self.last_checked = None
        self.is_gone = False
        self.planned = {}    # (wall-clock time, lead) -> what is scheduled
        self.over = set()    # the same, of what rang or was missed
        self.extras = {}     # by key: snoozes and steps in any state
        self.ringings = {}   # (wall-clock time, lead) -> the last that rang
        self.latest = {}     # lead -> the last of all that rang
        self.numbers = {}    # (wall-clock time, lead) -> the number of the last run that left a trace
        self.rung = []       # (instant, reminder) of everything that was attempted, in order
        self.answers = []

    @property
    def zone(self):
        return self.world.zone if self.zone_name == "floating" else self.zone_name

    @property
    def is_item(self):
        return self.name.startswith("item")

    def content(self):
        """What an answer may find changed when it is taken back."""
        return (self.text, self.list_name, self.category, self.due, self.start, self.zone_name, self.remind, self.rule,
                self.alerts, self.checked, self.checked_at, self.last_checked, self.is_gone)

    def restore(self, content):
        for each in self.planned.values():
            each.is_next = each.is_next and each.fire_date <= self.world.now
        (self.text, self.list_name, self.category, self.due, self.start, self.zone_name, self.remind, self.rule,
         self.alerts, self.checked, self.checked_at, self.last_checked, self.is_gone) = content
        self.plan()

    # What is scheduled

    def times(self):
        if self.rule is None:
            return [self.due]
        expanded = occurrences(local_rule(self.rule, self.zone), self.start, self.world.horizon)
        return [self.due] + [time for time in expanded if time > self.due]

    def rings(self):
        return self.due is not None and self.remind and not self.checked and not self.is_gone

    def plan(self):
        """Schedules what the present state asks for, and cancels everything else."""
        times = self.times() if self.rings() else []
        wanted = {}
        for time in times:
            for lead in self.alerts:
                days, minutes = duration(lead)
                wanted[time, lead] = instant(time - timedelta(days=days), self.zone) - minutes * MINUTE
        for key in [key for key in self.planned if key not in wanted]:
            del self.planned[key]
        for key, fire_date in wanted.items():
            if key in self.planned:
                self.planned[key].fire_date = fire_date
            elif key not in self.over and fire_date > self.world.now:
                self.planned[key] = Reminder(self, "planned", *key, fire_date)
            else:
                continue
            self.world.wake(self, fire_date)
        for lead in self.alerts:
            self.mark_next(self.of_lead(lead, after=self.world.now + 1))
        self.cancel(each for each in self.scheduled() if each.time not in times)

    def of_lead(self, lead, after):
        """What is planned for a lead from an instant on, in the order in which it rings."""
        found = [each for each in self.planned.values() if each.lead == lead and each.fire_date >= after]
        return sorted(found, key=lambda each: (each.fire_date, each.time))

    def mark_next(self, reminders):
        for each in reminders[:1]:
            each.is_next = True

    def scheduled(self):
        """The scheduled snoozes and steps."""
        return [each for each in self.extras.values() if each.state == "scheduled"]

    def steps(self):
        return [each for each in self.scheduled() if each.kind == "step"]

    def snoozes(self):
        return [each for each in self.scheduled() if each.kind == "snooze"]

    def cancel(self, reminders):
        for each in list(reminders):
            each.state = "cancelled"

    def schedule(self, reminder):
        """Schedules a snooze or step, unless it has rung or was missed; gives it as it is kept."""
        known = self.extras.get(reminder.key)
        if known and known.state in ("fired", "missed"):
            return known
        self.extras[reminder.key] = reminder
        if reminder.kind == "step":
            self.numbers[reminder.time, reminder.lead] = reminder.run.number
        self.world.wake(self, reminder.fire_date)
        return reminder

    def move(self, reminder, fire_date):
        reminder.fire_date = fire_date
        self.world.wake(self, fire_date)

    def snooze(self, time, lead, fire_date):
        return self.schedule(Reminder(self, "snooze", time, lead, fire_date, fire_date // 60))

    def has_moved_beyond(self, time):
        return self.is_item and self.rule is not None and self.due is not None and self.due > time

    # Answers

    def in_force(self, time, lead):
        """The strongest answer that holds over a ringing; the later one of two."""
        holding = [each for each in self.answers if each.holds_over(time, lead)]
        return max(holding, key=lambda each: (each.strength, each.number), default=None)

    # Escalations

    def escalation(self):
        """The escalation that the present config has for it."""
        return self.world.config.escalation(self.list_name, self.category)

    def begin_escalation(self, ringing, escalation, now, is_reached):
        """Step 1 was claimed: schedules what follows it."""
        self.cancel(each for each in self.steps() if each.lead == ringing.lead)
        ringing.run = Run(ringing, now, self.next_number(ringing))
        self.follow(ringing, escalation, now, is_reached)

    def next_number(self, ringing):
        return self.numbers.get((ringing.time, ringing.lead), 0) + 1

    def claim_step(self, reminder, now):
        """A step is claimed; gives the names that it goes to, or None where the config has no such ring any more."""
        escalation, (step, ring) = self.escalation(), reminder.step
        present = escalation and escalation.step(step)
        if present is None or ring > present.times:
            reminder.state = "cancelled"
            if escalation is not None and present is None:
                self.find_step(reminder.run, escalation, now)
            return None
        others = [each for each in reminder.run.scheduled() if each is not reminder]
        self.cancel(each for each in others if each.step[0] < step)
        late = now - reminder.fire_date
        if late >= 60:
            for each in others:
                if each.state == "scheduled":
                    self.move(each, minute(each.fire_date + late))
        reminder.state = "fired"
        return present.to

    def find_step(self, run, escalation, now):
        """The first step of the present config that is still to come."""
        for number in range(2, len(escalation.steps) + 1):
            fire_date = minute(run.start) + escalation.step(number).after * MINUTE
            if fire_date > now:
                # An occurrence rings once: where the place was made already, the step belongs to a further run.
                if ("step", run.ringing.time, run.ringing.lead, (run.number, number, 1)) in self.extras:
                    run = run.ringing.run = Run(run.ringing, run.start, self.next_number(run.ringing))
                run.schedule(number, 1, fire_date)
                return

    def follow(self, reminder, escalation, now, is_reached):
        """Schedules the next step and the next ring after one that was claimed."""
        run, (step, ring) = reminder.run, reminder.step
        if ring == 1 and escalation.step(step + 1):
            run.schedule(step + 1, 1, minute(now) + escalation.distance(step + 1) * MINUTE)
        if not is_reached:
            self.hasten(run, step + 1, now)
        this = escalation.step(step)
        if this.every and ring < this.times:
            fire_date = minute(now) + this.every * MINUTE
            if all(fire_date < each.fire_date for each in run.scheduled(step + 1)):
                run.schedule(step, ring + 1, fire_date)

    def hasten(self, run, step, now):
        """The step comes at once, if it is still to come."""
        for each in run.scheduled(step):
            self.move(each, minute(now))
