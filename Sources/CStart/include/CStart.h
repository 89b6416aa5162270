// What protects data before the program's first line of Swift, and signals that need no open file.

#ifndef C_START_H
#define C_START_H

/// Waits for the first SIGINT or SIGTERM after `firetally_catch_signals`.
void firetally_wait_for_signal(void);

/// What a program that a signal has ended exits with.
#define FIRETALLY_INTERRUPTED 130

/// Has the first SIGINT or SIGTERM end `firetally_wait_for_signal`, and the program within 2 s
/// whatever it does then.
///
/// A second one of either ends the program as ever.
void firetally_catch_signals(void);

/// Lifts the limit of 2 s from a program that a signal has ended, for work that must not be cut short.
///
/// A second signal ends it all the same.
void firetally_lift_limit(void);

/// How many threads of the usual stack can be started at the same time, up to `most`, which is 64 at
/// most.
///
/// It starts them and waits until they have ended, which takes a millisecond and more.
int firetally_count_threads(int most);

/// The commit that the program was built from, as `make install` and `make package` define it; else
/// empty.
const char *firetally_commit(void);

#endif
