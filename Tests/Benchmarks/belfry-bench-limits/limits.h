// The smallest C programs that do what Belfry is measured at: what no program on the same libraries can beat by much.
#pragma once

/// `import DATABASE COUNT BATCH`: rows for COUNT items with reminders, BATCH of them a commit.
int rows_import(const char *path, long count, long batch);
/// `insert DATABASE COUNT`: the same, each committed and synced before the next begins. Prints the seconds it took.
int rows_insert(const char *path, long count);
/// `answer DATABASE COUNT BATCH`: the rows that answers to the first COUNT items leave, BATCH of them a commit, each synced
/// before the next begins. Prints the seconds it took.
int rows_answer(const char *path, long count, long batch);
/// `due DATABASE INDEX LIMIT TIMES`: reads the reminders that are due through an index. Prints the median in ms.
int rows_due(const char *path, const char *index, long limit, long times);
/// `post URL HEADERS BODY COUNT CONNECTIONS`: posts a file's bytes again and again.
int transfers_post(const char *url, const char *headers, const char *body, long count, long connections);
/// `deliver DATABASE URL HEADERS BODY CONNECTIONS`: posts a file's bytes once for each reminder that is due, and leaves the
/// rows that Belfry leaves. One commit has the outcomes since the last and claims further reminders; no connection carries
/// more than one attempt whose outcome is not yet on disk beside the one that is on its way.
int deliveries_post(const char *path, const char *url, const char *headers, const char *body, long connections);
/// `mail URL MAIL COUNT CONNECTIONS`: mails a file's bytes again and again.
int transfers_mail(const char *url, const char *mail, long count, long connections);
/// `press PORT TOKENS ACCEPT CONNECTIONS RATE`: the load on a server of answers. Posts the token of each line of a file,
/// RATE a second, or as fast as the replies come for 0. Prints the milliseconds until each reply, counted from when it
/// was due, and at last the seconds that all took.
int presses_send(int port, const char *tokens, const char *accept, long connections, double rate);
/// `load PORT REQUEST STATUS CONNECTIONS COUNT`: sends the request in a file COUNT times, as fast as the replies come, each of
/// which has to have this status. Prints what `press` prints.
int loads_send(int port, const char *request, int status, long connections, long count);
/// `watch PORT REQUEST COUNT CHANGE CHANGES`: opens COUNT streams of events by the request in a file, and makes changes by
/// another one. Prints the milliseconds from each change until all streams have told of it, then `watching`; the streams stay
/// open until the program is ended.
int streams_watch(int port, const char *request, long count, const char *change, long changes);
/// `share URL HOOK HEADERS BODY SINKS SLOTS NOW`: as `deliver`, on a database server where the lists `List 0` and so on go to
/// sinks of their own, with Belfry's statements, one after another. What is due by NOW is posted. Prints the seconds it took.
int shared_deliver(const char *url, const char *hook, const char *headers, const char *body, long sinks, long slots,
                   const char *now);
/// `share-due URL LIMIT TIMES`: reads the reminders that are due on a database server. Prints the median in ms.
int shared_due(const char *url, long limit, long times);
/// Seconds on a clock that only goes forward.
double monotonic_seconds(void);
