// What protects data before the program's first line of Swift, and signals that need no open file.
//
// The reasons are in docs/decisions/024-a-start-with-nothing.md.

#define _GNU_SOURCE

#include "CStart.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

// A closed standard stream would be the number of the next file that is opened, a database perhaps,
// and messages would be written into it. The wrong direction makes the stream fail as a closed one does.
__attribute__((constructor)) static void hold_closed_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// Each thread of a load in many parts would keep memory of its own: docs/decisions/039-an-ordinary-build.md.
__attribute__((constructor)) static void keep_one_arena(void) { mallopt(M_ARENA_MAX, 1); }

#ifndef FIRETALLY_COMMIT
#define FIRETALLY_COMMIT ""
#endif

const char *firetally_commit(void) { return FIRETALLY_COMMIT; }

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *nothing) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return nothing;
}

int firetally_count_threads(int most) {
  pthread_t threads[64];
  int count = 0;
  pthread_mutex_lock(&gate);
  while (count < most && count < 64 && pthread_create(&threads[count], NULL, wait_at_gate, NULL) == 0) count++;
  pthread_mutex_unlock(&gate);
  for (int thread = 0; thread < count; thread++) pthread_join(threads[thread], NULL);
  return count;
}

static sem_t signalled;

// How long the program may take to end at a sound place: docs/commands.md#signals.
static const struct itimerval grace = {.it_value = {.tv_sec = 1, .tv_usec = 800000}};

static void catch(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(number, &action, NULL);
}

// Needs no thread, no lock and no memory: whatever holds them may be what does not end.
static void end_now(int number) {
  (void)number;
  _exit(FIRETALLY_INTERRUPTED);
}

static void note_signal(int number) {
  (void)number;
  int before = errno;
  catch(SIGINT, SIG_DFL);
  catch(SIGTERM, SIG_DFL);
  setitimer(ITIMER_REAL, &grace, NULL);
  sem_post(&signalled);
  errno = before;
}

void firetally_catch_signals(void) {
  sem_init(&signalled, 0, 0);
  catch(SIGALRM, end_now);
  catch(SIGINT, note_signal);
  catch(SIGTERM, note_signal);
  // Who starts us may have blocked them in the thread that did, as libdispatch does in its own.
  sigset_t caught;
  sigemptyset(&caught);
  sigaddset(&caught, SIGINT);
  sigaddset(&caught, SIGTERM);
  sigaddset(&caught, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &caught, NULL);
}

void firetally_lift_limit(void) {
  static const struct itimerval never = {.it_value = {.tv_sec = 0, .tv_usec = 0}};
  setitimer(ITIMER_REAL, &never, NULL);
}

void firetally_wait_for_signal(void) {
  while (sem_wait(&signalled) != 0 && errno == EINTR) continue;
}
