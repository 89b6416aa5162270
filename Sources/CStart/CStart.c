// What a process can lack before its first line of Swift, and signals that need no open file.
//
// The reasons are in docs/decisions/024-a-start-with-nothing.md.

#define _GNU_SOURCE

#include "CStart.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__

// The Swift runtime's own: where `CommandLine.arguments` come from.
void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc);

// A closed standard stream would be the number of the next file that is opened, a database perhaps,
// and messages would be written into it. The wrong direction makes the stream fail as a closed one does.
static void hold_closed_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// A low limit is a shell's default for other programs, as long as the hard one allows more.
static void raise_file_limit(void) {
  const rlim_t enough = 256;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= enough) return;
  limit.rlim_cur = limit.rlim_max < enough ? limit.rlim_max : enough;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// glibc hands the arguments to constructors; Swift would read them from /proc, and find none without it.
__attribute__((constructor)) static void start(int argc, char **argv) {
  hold_closed_streams();
  raise_file_limit();
  _swift_stdlib_overrideUnsafeArgvArgc(argv, argc);
}

#endif

// A section of its own, which can be written without linking again. Volatile: its value is not known
// to the compiler.
__attribute__((section("firetally_build"), used)) static const volatile char commit[64] = "";

const char *firetally_commit(void) { return (const char *)commit; }

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
