// A worker of a test run with a child process that only the run ends. Prints its process ID.
import { spawn } from 'node:child_process';
import '../support/worker-end.ts';

process.send({ pid: spawn('sleep', ['600'], { stdio: 'inherit' }).pid });
