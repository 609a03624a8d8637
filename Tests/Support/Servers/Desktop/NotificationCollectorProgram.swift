/// The program behind ``NotificationCollector``, for Debian's jeepney.
let notificationCollectorProgram = #"""
  import json, os, sys
  from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
  from jeepney.bus_messages import message_bus
  from jeepney.io.blocking import open_dbus_connection

  NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
  PORTAL, PORTAL_PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
  configuration = json.load(open("configuration.json"))
  records = open("records.jsonl", "a")
  connection = open_dbus_connection(sys.argv[1])
  server = DBusAddress(PATH, NAME, NAME)
  shown, state = set(), dict(last=0, manner="kind")

  def record(**values):
      records.write(json.dumps(values) + "\n")
      records.flush()

  def emit(member, signature, *values):
      connection.send(new_signal(server, member, signature, values))

  def notify(application, replaced, icon, summary, body, actions, hints, milliseconds):
      if replaced in shown:
          number = replaced
      else:
          state["last"] += 1
          number = state["last"]
      shown.add(number)
      record(
          kind="shown", number=number, replaced=replaced, icon=icon, summary=summary, body=body, actions=actions,
          hints={name: str(value) for name, (_, value) in hints.items()}, milliseconds=milliseconds)
      return "u", (number,)

  def close(number):
      record(kind="closed", number=number)
      if number in shown:
          shown.remove(number)
          emit("NotificationClosed", "uu", number, 3)
      return None, ()

  def control(command, number, key):
      if command == "press":
          emit("ActionInvoked", "us", number, key)
      elif command == "flood":
          for index in range(number):
              emit("ActionInvoked", "us", index, key)
              emit("NotificationClosed", "uu", index, 2)
      else:
          state["manner"] = command
      return None, ()

  def answer(message):
      member, body = message.header.fields[HeaderFields.member], message.body
      manner = state["manner"]
      if member == "Control":
          return new_method_return(message, *control(*body))
      if manner == "silent":
          return None
      if manner == "refusing":
          return new_error(message, f"{NAME}.Error.ExcessNotificationGeneration", "s", ("too many\n\x1b[31m of them",))
      if manner == "babbling":
          return new_method_return(message, "s", ("nonsense",))
      if manner == "dying":
          os._exit(1)
      if member == "OpenURI":
          record(kind="opened", page=body[1])
          return new_method_return(message, "o", (PORTAL_PATH,))
      if member == "GetCapabilities":
          return new_method_return(message, "as", (configuration["capabilities"],))
      if member == "GetServerInformation":
          return new_method_return(message, "ssss", ("Collector", "Belfry's tests", "1", "1.2"))
      if member == "Get":
          return new_method_return(message, "v", (("b", manner == "inhibited"),))
      if member == "Notify":
          return new_method_return(message, *notify(*body))
      if member == "CloseNotification":
          return new_method_return(message, *close(*body))
      return new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", (member,))

  connection.send_and_get_reply(message_bus.RequestName(NAME))
  if configuration["hasPortal"]:
      connection.send_and_get_reply(message_bus.RequestName(PORTAL))
  print(1, flush=True)
  while True:
      message = connection.receive()
      if message.header.message_type is MessageType.method_call:
          reply = answer(message)
          if reply is not None:
              connection.send(reply)
  """#
