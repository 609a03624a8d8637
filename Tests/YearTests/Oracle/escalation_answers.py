"""Answers and taking them back, as answers.md defines them."""

from times import DAY, later, minute, moved

STRENGTH = {"ack": 1, "later": 2, "done": 3, "trash": 4}


class Refused(Exception):
    """What a command says no to."""


class Answer:
    def __init__(self, number, reminder, action, effect, now):
        self.number, self.reminder, self.action, self.effect, self.at = number, reminder, action, effect, now
        self.owner, self.ring = reminder.owner, reminder.owner.ringings[reminder.time, reminder.lead]
        self.taken_back = False
        self.snooze = None     # the key of the snooze that it scheduled
        self.cancelled = []    # the keys of the snoozes and steps that it cancelled
        self.discarded = []    # the deliveries that it called off
        self.before = self.after = None  # the owner's content around it

    @property
    def strength(self):
        return STRENGTH[self.action]

    def counts(self):
        return self.effect == "done" and not self.taken_back

    def holds(self):
        """Whether its effect is still there."""
        if self.strength < STRENGTH["done"] or self.owner.is_gone:
            return True
        return self.action == "done" and (bool(self.owner.checked) or self.owner.has_moved_beyond(self.reminder.time))

    def holds_over(self, time, lead):
        """Whether it is in force over the last ringing of an occurrence."""
        if not self.counts() or self.reminder.time != time:
            return False
        if self.strength >= STRENGTH["done"]:
            return self.holds()
        return self.reminder.lead == lead and self.ring is self.owner.ringings.get((time, lead))


class Answers:
    def __init__(self, world):
        self.world, self.count = world, 0
        self.by_token = {}

    # A press

    def press(self, reminder, action, token, is_authenticated):
        """Gives the effect, or `repeated` or `spent`."""
        effect = self.judge(reminder, action, is_authenticated)
        earlier = self.by_token.get(token)
        if earlier and not (earlier.effect == "refused" and effect != "refused"):
            is_same = effect == earlier.effect
            if earlier.effect == "done":
                is_same = earlier.holds() and not earlier.taken_back
            return "repeated" if is_same else "spent"
        self.count += 1
        answer = Answer(self.count, reminder, action, effect, self.world.now)
        if token:
            self.by_token[token] = answer
        owner = reminder.owner
        if effect == "done":
            answer.before, scheduled = owner.content(), owner.scheduled()
            getattr(self, action)(answer)
            owner.answers.append(answer)
            answer.after = owner.content()
            answer.cancelled = [each.key for each in scheduled if each.state == "cancelled"]
            answer.discarded = self.world.outbox.discard_ended(owner)
        else:
            owner.answers.append(answer)
        return effect

    def judge(self, reminder, action, is_authenticated):
        owner, strength = reminder.owner, STRENGTH[action]
        if action == "trash" and not is_authenticated:
            return "refused"
        standing = owner.in_force(reminder.time, reminder.lead)
        if standing and strength <= standing.strength:
            return "already"
        if owner.is_gone:
            return "gone"
        if not owner.is_item or action == "trash":
            return "done"
        if owner.checked or owner.has_moved_beyond(reminder.time):
            return "already"
        if reminder.time not in owner.times() or action == "later" and not owner.remind:
            return "gone"
        return "done"

    def ack(self, answer):
        owner, reminder, ring = answer.owner, answer.reminder, answer.ring
        owner.cancel(each for each in owner.steps() if (each.time, each.lead) == (reminder.time, reminder.lead))
        escalation = owner.escalation()
        if escalation and escalation.again_after and owner.rings() and not (escalation.is_once and ring.is_again):
            fire_date = moved(self.world.now, *escalation.again_after, owner.zone)
            snooze = owner.snooze(reminder.time, reminder.lead, fire_date)
            snooze.is_again = True
            answer.snooze = snooze.key

    def later(self, answer):
        owner = answer.owner
        owner.cancel(owner.scheduled())
        snooze = owner.snooze(answer.reminder.time, answer.reminder.lead, later(self.world.now, "PT10M", owner.zone))
        answer.snooze = snooze.key

    def done(self, answer):
        self.world.check(answer.owner, after=answer.reminder.time)

    def trash(self, answer):
        self.world.delete(answer.owner)

    # Taking back

    def take_back(self, answer):
        world, owner = self.world, answer.owner
        if answer.taken_back:
            return
        if world.now - answer.at > DAY:
            raise Refused
        if answer.strength >= STRENGTH["done"]:
            if owner.content() != answer.after:
                raise Refused
            owner.restore(answer.before)
            world.items_changed(owner)
        elif answer.snooze:
            self.end_snooze(answer)
        answer.taken_back = True
        for other in owner.answers:
            if other.number > answer.number:
                other.cancelled = [key for key in other.cancelled if key != answer.snooze]
        for other in reversed(owner.answers):
            if other.taken_back and world.now - other.at <= DAY:
                other.discarded = [each for each in other.discarded if not world.outbox.resume(each)]
                if owner.rings():
                    other.cancelled = self.restore(owner, other.cancelled)

    def end_snooze(self, answer):
        """The snooze that an answer scheduled ends with it, unless it has rung or was changed since."""
        snooze = answer.owner.extras[answer.snooze]
        if snooze.state == "scheduled":
            if answer.ring is not answer.owner.ringings[snooze.time, snooze.lead]:
                raise Refused
            snooze.state = "cancelled"
        elif snooze.state == "cancelled":
            standing = answer.owner.in_force(snooze.time, snooze.lead)
            if not standing or standing.strength <= answer.strength:
                raise Refused
        elif snooze.state == "fired":
            raise Refused

    def restore(self, owner, keys):
        """Schedules again what an answer has cancelled; gives the keys of what another answer still ends."""
        now, kept, times = self.world.now, [], owner.times()
        cancelled = [owner.extras[key] for key in keys if owner.extras[key].state == "cancelled"]
        is_snoozed = bool(owner.snoozes())
        for each in cancelled:
            if each.time not in times:
                kept.append(each.key)
            elif each.kind == "snooze" and not is_snoozed and each.fire_date > now:
                owner.schedule(each)
                each.state = "scheduled"
        for run in dict.fromkeys(each.run for each in cancelled if each.kind == "step"):
            steps = [each for each in cancelled if each.run is run and each.key not in kept]
            if owner.in_force(run.ringing.time, run.ringing.lead):
                kept += [each.key for each in steps]
            elif steps and not is_snoozed and owner.latest[run.ringing.lead] is run.ringing:
                first = min(each.fire_date for each in steps)
                shift = 0 if first > now else minute(now) - first
                for each in steps:
                    each.state = "scheduled"
                    owner.move(each, each.fire_date + shift)
        return kept
