import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { documentsOf } from './deployment-files.fixture.js';
import { missingPrograms, PATH } from './tools.fixture.js';

/** Result of a program, with only the environment that it requires. */
function resultOf(program: string, args: string[], cwd?: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd,
    env: { PATH, HOME: '/nonexistent' },
  });
  return { status, output: `${stdout}${stderr}` };
}

/** Checks these files with the programs that read them on a production machine, where they are installed. */
describe('files of ops', () => {
  it.skipIf(missingPrograms('shell scripts', 'shellcheck').length > 0)('are scripts without errors', () => {
    const scripts = ['make-secrets', 'note-metric', 'postgres/owner', 'postgres/service-login'].map(
      (name) => `ops/${name}.sh`,
    );
    expect(resultOf('shellcheck', scripts)).toEqual({ status: 0, output: '' });
  });

  it.skipIf(missingPrograms('Prometheus', 'promtool').length > 0)('are valid settings for Prometheus', () => {
    expect(resultOf('promtool', ['check', 'config', '--syntax-only', 'ops/prometheus.yml'])).toMatchObject({
      status: 0,
    });
  });

  it.skipIf(missingPrograms('Kubernetes', 'kubectl').length > 0)('are manifests that kustomize can build', () => {
    const kinds = (directory: string): string[] => {
      const { status, output } = resultOf('kubectl', ['kustomize', `ops/kubernetes/${directory}`]);
      expect([directory, status, output.includes('configMapRef')]).toEqual([directory, 0, true]);
      const file = path.join(temporaryDirectory(), 'manifests.yaml');
      writeFileSync(file, output);
      return documentsOf(file).map(({ kind }) => kind);
    };
    expect(kinds('base').filter((kind) => kind === 'Deployment')).toHaveLength(1);
    expect(kinds('split').filter((kind) => kind === 'Deployment')).toHaveLength(2);
  });

  describe.skipIf(missingPrograms('units', 'systemd-analyze').length > 0)('are systemd units', () => {
    let directory: string;
    let units: string[];
    beforeAll(() => {
      // uses the programs of this machine instead of those of a production machine
      directory = path.join(temporaryDirectory(), 'units');
      mkdirSync(directory);
      units = readdirSync('ops/systemd').map((name) => {
        const unit = name.replace('@', '@4000');
        const text = readFileSync(`ops/systemd/${name}`, 'utf8').replaceAll('/usr/local/bin/node', process.execPath);
        writeFileSync(path.join(directory, unit), text);
        return `./${unit}`;
      });
    });

    it('that systemd accepts', () => {
      expect(resultOf('systemd-analyze', ['verify', ...units], directory)).toEqual({ status: 0, output: '' });
    });

    it.each(['recharge-gateway@4000.service', 'recharge-gateway-doctor.service'])('%s has few permissions', (unit) => {
      const { status, output } = resultOf(
        'systemd-analyze',
        ['security', '--offline=true', '--threshold=15', `./${unit}`],
        directory,
      );
      expect([status, output.split('\n').filter((line) => line.includes('Overall'))]).toMatchObject([
        0,
        [expect.any(String)],
      ]);
    });
  });
});

it('the build of the image only needs files that .dockerignore allows', () => {
  const context = path.join(temporaryDirectory(), 'context');
  for (const line of readFileSync('.dockerignore', 'utf8').split('\n'))
    if (line.startsWith('!')) cpSync(line.slice(1), path.join(context, line.slice(1)), { recursive: true });
  const packed = path.join(context, '..', 'packed');
  const build = /AS build\n(.*?)\n\n/s.exec(readFileSync('Dockerfile', 'utf8'))![1]!;
  const commands = [...build.replaceAll('\\\n', ' ').matchAll(/^RUN (.*)$/gm)].map(([, command]) => command!);
  expect(commands).toHaveLength(2);
  for (const command of commands)
    execFileSync('sh', ['-c', command.replaceAll('/packed', packed)], {
      cwd: context,
      env: { ...process.env, REVISION: 'of-the-image' },
      stdio: 'pipe',
    });
  expect(readFileSync(path.join(packed, 'gateway', 'dist', 'COMMIT'), 'utf8')).toBe('of-the-image');
  const installDirectory = path.join(temporaryDirectory(), 'gateway');
  execFileSync(process.execPath, ['ops/pack.mjs', installDirectory]);
  const filesOf = (directory: string): string[] =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  expect(filesOf(path.join(packed, 'gateway'))).toEqual(filesOf(installDirectory));
  expect(filesOf(path.join(packed, 'simulator'))).toContain('dist/simulator/main.js');
});
