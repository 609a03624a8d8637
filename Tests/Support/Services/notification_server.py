"""A notification server after the Desktop Notifications Specification 1.2, which records every notification and shows
none, with Debian's jeepney.

usage: notification_server.py ADDRESS, the address of a bus
It reads `configuration.json` in the working folder, prints 1 once it has its name, and writes what it is asked for to
`records.jsonl`. The test calls its method `Control`: with `press`, `flood`, or how it is to behave from now on.
"""
import json, os, sys

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
PROPERTIES, PROPERTY = "org.freedesktop.DBus.Properties", "Inhibited"
PORTAL, PORTAL_PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"


class NotificationServer:
    def __init__(self, configuration, records, connection):
        self.configuration, self.records, self.connection = configuration, records, connection
        self.shown, self.last, self.manner = set(), 0, "kind"

    def record(self, **values):
        self.records.write(json.dumps(values) + "\n")
        self.records.flush()

    def emit(self, member, signature, *values):
        self.connection.send(new_signal(DBusAddress(PATH, NAME, NAME), member, signature, values))

    def notify(self, application, replaced, icon, summary, body, actions, hints, milliseconds):
        if replaced in self.shown:
            number = replaced
        else:
            self.last += 1
            number = self.last
        self.shown.add(number)
        self.record(
            kind="shown", number=number, replaced=replaced, icon=icon, summary=summary, body=body, actions=actions,
            hints={name: str(value) for name, (_, value) in hints.items()}, milliseconds=milliseconds)
        return "u", (number,)

    def close(self, number):
        self.record(kind="closed", number=number)
        if number in self.shown:
            self.shown.remove(number)
            self.emit("NotificationClosed", "uu", number, 3)
        return None, ()

    def control(self, command, number, key):
        if command == "press":
            self.emit("ActionInvoked", "us", number, key)
        elif command == "flood":
            for index in range(number):
                self.emit("ActionInvoked", "us", index, key)
                self.emit("NotificationClosed", "uu", index, 2)
        else:
            self.manner = command
            if self.has_property:
                self.connection.send(new_signal(
                    DBusAddress(PATH, NAME, PROPERTIES), "PropertiesChanged", "sa{sv}as",
                    (NAME, {PROPERTY: ("b", self.manner == "inhibited")}, [])))
        return None, ()

    @property
    def has_property(self):
        return "inhibitions" in self.configuration["capabilities"]

    def answer(self, message):
        member, body = message.header.fields[HeaderFields.member], message.body
        if member == "Control":
            return new_method_return(message, *self.control(*body))
        if self.manner == "silent":
            return None
        if self.manner == "refusing":
            return new_error(message, f"{NAME}.Error.ExcessNotificationGeneration", "s", ("too many\n\x1b[31m of them",))
        if self.manner == "babbling":
            return new_method_return(message, "s", ("nonsense",))
        if self.manner == "dying" and member == "Notify":
            os._exit(1)
        if member == "OpenURI":
            self.record(kind="opened", page=body[1])
            return new_method_return(message, "o", (PORTAL_PATH,))
        if member == "GetCapabilities":
            return new_method_return(message, "as", (self.configuration["capabilities"],))
        if member == "GetServerInformation":
            return new_method_return(message, "ssss", ("Collector", "Belfry's tests", "1", "1.2"))
        if member == "Get" and self.has_property and body == (NAME, PROPERTY):
            return new_method_return(message, "v", (("b", self.manner == "inhibited"),))
        if member == "Notify":
            return new_method_return(message, *self.notify(*body))
        if member == "CloseNotification":
            return new_method_return(message, *self.close(*body))
        return new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", (member,))

    def run(self):
        self.connection.send_and_get_reply(message_bus.RequestName(NAME))
        if self.configuration["hasPortal"]:
            self.connection.send_and_get_reply(message_bus.RequestName(PORTAL))
        print(1, flush=True)
        while True:
            message = self.connection.receive()
            if message.header.message_type is MessageType.method_call:
                reply = self.answer(message)
                if reply is not None:
                    self.connection.send(reply)


if __name__ == "__main__":
    with open("configuration.json") as configuration, open("records.jsonl", "a") as records:
        NotificationServer(json.load(configuration), records, open_dbus_connection(sys.argv[1])).run()
