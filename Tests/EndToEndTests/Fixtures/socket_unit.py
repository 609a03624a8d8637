"""A socket unit: starts a program for a connection that comes while it does not run, as systemd does.

usage: socket_unit.py PATH LOG PROGRAM...
The program gets the socket at PATH, which listens, as descriptor 3. Its exit status becomes a line of LOG each time.
"""
import os, select, socket, sys

path, log, *program = sys.argv[1:]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
while True:
    select.select([listener], [], [])
    child = os.fork()
    if child == 0:
        os.dup2(listener.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
        os.execv(program[0], program)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(log, "a") as ends:
        print(status, file=ends)
