// A worker of a run with a child that nothing else ends. Says its pid.
import { spawn } from 'node:child_process';
import '../support/worker-end.ts';

process.send({ pid: spawn('sleep', ['600'], { stdio: 'inherit' }).pid });
