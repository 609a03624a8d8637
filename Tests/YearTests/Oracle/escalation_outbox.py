"""Deliveries and their attempts, as states.md defines them."""

from times import seconds

DELAYS = [5, 30, 120, 600, 1800, 3600]


class Delivery:
    """What one recipient gets of the reminders of one minute."""

    def __init__(self, sink, person, address, fire_date, permitted):
        self.sink, self.person, self.address, self.fire_date = sink, person, address, fire_date
        self.reminders = []
        self.state, self.permitted, self.next, self.last, self.attempts = "pending", permitted, permitted, None, 0


class Outbox:
    def __init__(self, world, faults):
        self.world, self.faults = world, faults
        self.pending = []
        self.groups = {}  # of the claim in progress

    def add(self, reminder, recipients):
        """Writes the deliveries of a reminder that is claimed now.

        One message carries those of a minute where the sink groups them. A step is left out where quiet hours hold an
        unsent message about the same item or list.
        """
        world = self.world
        held = {(sink, person) for sink, person, _ in recipients if self.holds(reminder.owner, sink, person)}
        for sink, person, address in recipients:
            permitted = world.config.permitted(sink, person, world.now, world.zone)
            if reminder.kind == "step" and permitted > world.now and (sink, person) in held:
                continue
            group = (sink, person, address, reminder.fire_date)
            delivery = self.groups.get(group)
            if delivery is None:
                delivery = Delivery(sink, person, address, reminder.fire_date, permitted)
                self.pending.append(delivery)
                if world.config.sinks[sink].get("group_by") == "all":
                    self.groups[group] = delivery
            delivery.reminders.append(reminder)
            reminder.deliveries.append(delivery)

    def holds(self, owner, sink, person):
        """Whether quiet hours hold a message about an item or list, other than one that this claim still adds to."""
        return any((each.sink, each.person) == (sink, person) and each.attempts == 0
                   and each.permitted > self.world.now and each not in self.groups.values()
                   and any(reminder.owner is owner for reminder in each.reminders) for each in self.pending)

    def end_claim(self):
        self.groups = {}

    def next_attempt(self):
        """The next attempt that lies in the future."""
        return min((each.next for each in self.pending if each.next > self.world.now), default=None)

    def send(self):
        """Makes every attempt that is due; says whether there was any."""
        due = [each for each in self.pending if each.next <= self.world.now]
        for delivery in due:
            self.attempt(delivery)
        return bool(due)

    def attempt(self, delivery):
        now, config = self.world.now, self.world.config
        outcome = "never"
        if config.accepts(delivery.sink, delivery.address):
            outcome = self.fault(delivery.sink, now)
            self.world.rang(delivery)
        delivery.attempts, delivery.last = delivery.attempts + 1, now
        retry = config.sinks[delivery.sink].get("retry", {"max_age": "24h"})
        end = delivery.permitted + seconds(retry["max_age"])
        if outcome is None:
            self.close(delivery, "delivered")
        elif outcome == "never" or now >= end:
            self.die(delivery)
        else:
            again = min(now + DELAYS[min(delivery.attempts, len(DELAYS)) - 1], end)
            delivery.next = config.permitted(delivery.sink, delivery.person, again, self.world.zone)

    def fault(self, sink, now):
        """What is wrong with a sink at an instant: never, later or nothing."""
        return next((kind for begin, end, kind in self.faults.get(sink, []) if begin <= now < end), None)

    def close(self, delivery, state):
        delivery.state = state
        self.pending.remove(delivery)

    def die(self, delivery):
        self.close(delivery, "dead")
        for reminder in delivery.reminders:
            if all(each.state == "dead" for each in reminder.deliveries):
                self.world.hand_over(reminder)

    def close_without_sink(self):
        for delivery in [each for each in self.pending if each.sink not in self.world.config.sinks]:
            self.die(delivery)

    def follow_clock(self):
        """What was attempted in what is now the future is tried at once."""
        for delivery in self.pending:
            if delivery.last is not None and delivery.last > self.world.now:
                delivery.permitted, delivery.next = min(delivery.permitted, self.world.now), self.world.now

    def discard_ended(self, owner):
        """Calls off what is about ended reminders alone; gives these deliveries."""
        ended = [each for each in self.pending if any(reminder.owner is owner for reminder in each.reminders)
                 and all(reminder.is_ended() for reminder in each.reminders)]
        for delivery in ended:
            self.close(delivery, "discarded")
        return ended

    def resume(self, delivery):
        """Makes a delivery pending again; says whether nothing more is owed to it."""
        if delivery.state != "discarded":
            return True
        if all(reminder.is_ended() for reminder in delivery.reminders):
            return False
        delivery.state, delivery.permitted = "pending", max(delivery.permitted, self.world.now)
        delivery.next = delivery.permitted
        self.pending.append(delivery)
        return True
