// What protects data before the program's first line of Swift, and signals that need no open file.
//
// The reasons are in docs/decisions/024-a-start-with-nothing.md.

#define _GNU_SOURCE

#include "CStart.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

// A closed standard stream would be the number of the next file that is opened, a database perhaps,
// and messages would be written into it. The wrong direction makes the stream fail as a closed one does.
__attribute__((constructor)) static void hold_closed_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

#ifndef FIRETALLY_COMMIT
#define FIRETALLY_COMMIT ""
#endif

const char *firetally_commit(void) { return FIRETALLY_COMMIT; }

static sem_t signalled;

static void note_signal(int number) {
  (void)number;
  int before = errno;
  sem_post(&signalled);
  errno = before;
}

void firetally_catch_signals(void) {
  sem_init(&signalled, 0, 0);
  struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  // Who starts us may have blocked them in the thread that did, as libdispatch does in its own.
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &both, NULL);
}

void firetally_wait_for_signal(void) {
  while (sem_wait(&signalled) != 0 && errno == EINTR) continue;
}
