import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PATH } from '../tools.fixture.js';

/** Requirements of the image drill: these programs, and root for containers. */
export const TOOLS = ['apt-get', 'buildah', 'podman', 'runc', 'debootstrap', 'npm'];

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH },
    maxBuffer: 256 * 2 ** 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Debian mirror in the configuration of this machine. */
function mirror(release: string): string {
  const lines = run('apt-get', ['indextargets', '--format', '$(CREATED_BY) $(CODENAME) $(REPO_URI)']).split('\n');
  const found = lines.map((line) => line.split(' ')).find(([by, name]) => by === 'Packages' && name === release);
  if (!found) throw new Error(`apt-get has no source for ${release}.`);
  return found[2]!;
}

/** Images and containers of this drill, in a directory that is deleted. */
export class ImageStore {
  readonly #home = mkdtempSync(path.join(tmpdir(), 'recharge-gateway-image-'));
  readonly #storageArgs = ['--root', path.join(this.#home, 'storage'), '--runroot', path.join(this.#home, 'run')];

  podman(...args: string[]): string {
    return run('podman', this.podmanArgs(...args));
  }

  /** Arguments of `podman` for this store. */
  podmanArgs(...args: string[]): string[] {
    return [...this.#storageArgs, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', ...args];
  }

  /**
   * Creates a Debian image with the Node of node_modules and the npm of this machine, under the name of the first image in the
   * Dockerfile.
   */
  makeBase(): void {
    const [, image, release] = /^ARG NODE_IMAGE=(node:\d+-(\w+)-slim(?:@sha256:\w+)?)$/m.exec(
      readFileSync('Dockerfile', 'utf8'),
    )!;
    const root = path.join(this.#home, 'base');
    run('debootstrap', ['--variant=minbase', '--include=libatomic1,ca-certificates', release!, root, mirror(release!)]);
    cpSync(realpathSync('node_modules/.bin/node'), path.join(root, 'usr/local/bin/node'));
    const npm = path.join(run('npm', ['root', '--global', '--prefix', '/usr']).trim(), 'npm');
    const modules = path.join(root, 'usr/local/lib/node_modules');
    mkdirSync(modules, { recursive: true });
    cpSync(npm, path.join(modules, 'npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(root, 'usr/local/bin/npm'));
    // certificates that npm must trust on this machine, if any
    const cafile = this.#cafile();
    if (cafile) {
      mkdirSync(path.join(root, 'usr/local/etc'), { recursive: true });
      writeFileSync(path.join(root, 'usr/local/etc/npmrc'), `cafile=${cafile}\n`);
    }
    run('chroot', [root, 'useradd', '--create-home', '--uid', '1000', 'node']);
    run('tar', ['--create', '--directory', root, '--file', `${root}.tar`, '.']);
    this.podman(
      'import',
      '--change',
      'ENV PATH=/usr/local/bin:/usr/bin:/bin',
      `${root}.tar`,
      `docker.io/library/${image}`,
    );
    for (const done of [root, `${root}.tar`]) rmSync(done, { recursive: true });
  }

  /** File with additional certificate authorities, if this machine has some. */
  #cafile(): string | undefined {
    const file = process.env.NODE_EXTRA_CA_CERTS || run('npm', ['config', 'get', 'cafile']).trim();
    return file.startsWith('/') ? file : undefined;
  }

  /** Builds the image of the service from the Dockerfile. npm uses the same registry as on this machine. */
  build(tag: string, args: Readonly<Record<string, string>>): void {
    const settings = run('npm', ['config', 'get', 'userconfig']).trim();
    const mounts = [
      ...(spawnSync('test', ['-f', settings]).status === 0 ? [`${settings}:/root/.npmrc:ro`] : []),
      ...(this.#cafile() ? [`${this.#cafile()}:${this.#cafile()}:ro`] : []),
    ];
    run('buildah', [
      ...this.#storageArgs,
      'bud',
      '--isolation=chroot',
      '--format=docker',
      '--pull-never',
      `--tag=${tag}`,
      ...mounts.flatMap((mount) => ['--volume', mount]),
      ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      '.',
    ]);
  }

  remove(): void {
    spawnSync('podman', this.podmanArgs('rm', '--all', '--force'), { env: { ...process.env, PATH } });
    spawnSync('podman', this.podmanArgs('rmi', '--all', '--force'), { env: { ...process.env, PATH } });
    spawnSync('umount', [path.join(this.#home, 'storage/overlay')]);
    rmSync(this.#home, { recursive: true, force: true });
  }
}
