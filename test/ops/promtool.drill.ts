import { execFile, execFileSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let text: string;
beforeAll(async () => {
  text = await (await fetch(`${test.urls.uat}/metrics`)).text();
});

it('Prometheus accepts /metrics without warnings', async () => {
  const problems = await new Promise<string>((resolve) => {
    const child = execFile('promtool', ['check', 'metrics'], (_error, stdout, stderr) => resolve(stdout + stderr));
    child.stdin!.end(text);
  });
  expect(problems).toBe('');
});

it('Prometheus and Alertmanager accept their files, and alerts fire when they should', () => {
  execFileSync('npm', ['run', '--silent', 'check:ops'], { stdio: 'pipe' });
});
