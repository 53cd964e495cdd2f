import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commandOf,
  commands,
  DRAIN_LIMIT_S,
  documentsOf,
  missingOf,
  PORTS,
  providerVariables,
  requiredSettings,
  seconds,
  unknownOf,
  variablesIn,
  yamlOf,
} from './described.fixture.js';

const ROOT = 'ops/kubernetes';
const directories = readdirSync(ROOT);
const files = directories.flatMap((name) =>
  readdirSync(path.join(ROOT, name)).map((file) => path.join(ROOT, name, file)),
);
const manifests = files
  .filter((file) => file.endsWith('.yaml') && path.basename(file) !== 'kustomization.yaml')
  .flatMap((file) => documentsOf(file).map((manifest) => ({ file, manifest })));
const settings = variablesIn(`${ROOT}/base/settings.env`);

/** The pods that a manifest makes. */
const podOf = ({ kind, spec }: any): any =>
  kind === 'CronJob'
    ? spec.jobTemplate.spec.template.spec
    : kind === 'Deployment' || kind === 'Job'
      ? spec.template.spec
      : undefined;
const pods = manifests.flatMap(({ file, manifest }) => {
  const pod = podOf(manifest);
  return pod ? [{ name: `${file} ${manifest.metadata.name}`, kind: manifest.kind as string, pod }] : [];
});

describe('the manifests', () => {
  it('are all part of a kustomization, and each kustomization names what is there', () => {
    const named = directories.flatMap((name) => {
      const { resources, configMapGenerator = [] } = yamlOf(path.join(ROOT, name, 'kustomization.yaml'));
      const all = [...resources, ...configMapGenerator.flatMap(({ envs }: { envs: string[] }) => envs)];
      return [...all.map((file: string) => path.join(ROOT, name, file)), path.join(ROOT, name, 'kustomization.yaml')];
    });
    expect(missingOf(named)).toEqual([]);
    expect(files.filter((file) => !named.includes(file))).toEqual([]);
    for (const { file, manifest } of manifests)
      expect([file, typeof manifest.apiVersion, typeof manifest.kind, typeof manifest.metadata.name]).toEqual([
        file,
        'string',
        'string',
        'string',
      ]);
  });

  it('give the service settings that it knows, what it requires and what providers need, and hold no secret', () => {
    expect(unknownOf(Object.keys(settings))).toEqual([]);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(providerVariables));
    expect(requiredSettings.filter((name) => !(name in settings) && !(`${name}_FILE` in settings))).toEqual([]);
    for (const { name, pod } of pods) {
      const variables = pod.containers.flatMap(({ env = [] }: any) => env.map((one: any) => one.name));
      expect([name, unknownOf(variables)]).toEqual([name, []]);
    }
    expect(unknownOf(['SHUTDOWN_DELAY'])).toEqual(['SHUTDOWN_DELAY']);
    expect(manifests.filter(({ manifest }) => manifest.kind === 'Secret')).toEqual([]);
  });

  it('run programs that the image has, as nobody special, with nothing to write to but what is said', () => {
    expect(pods.length).toBeGreaterThan(3);
    for (const { name, kind, pod } of pods) {
      expect([name, pod.securityContext]).toMatchObject([
        name,
        { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      ]);
      expect([name, pod.automountServiceAccountToken]).toEqual([name, false]);
      for (const { command, image, securityContext, resources, volumeMounts } of pod.containers) {
        if (command) expect(commands).toContain(commandOf(command));
        expect([name, image]).toEqual([name, 'recharge-gateway']);
        expect([name, securityContext]).toEqual([
          name,
          { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        ]);
        expect([name, typeof resources.limits.memory, typeof resources.requests.cpu]).toEqual([
          name,
          'string',
          'string',
        ]);
        const volumes = pod.volumes.map((volume: any) => volume.name);
        expect([name, volumeMounts.filter((mount: any) => !volumes.includes(mount.name))]).toEqual([name, []]);
      }
      // the owner's password is for migrations alone
      const secrets = pod.volumes.flatMap(({ secret }: any) => (secret ? [secret.secretName] : []));
      expect([name, secrets]).toEqual([name, [kind === 'Job' ? 'recharge-gateway-owner' : 'recharge-gateway']]);
    }
  });

  it('ask the right listener, and give a process the time that it takes to stop', () => {
    const deployments = pods.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.length).toBe(2);
    for (const { name, pod } of deployments) {
      const [container] = pod.containers;
      const ports = Object.fromEntries(container.ports.map((port: any) => [port.name, port.containerPort]));
      expect([name, PORTS]).toMatchObject([name, ports]);
      const asked = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet);
      expect(asked).toEqual(['/livez', '/livez', '/readyz'].map((probe) => ({ path: probe, port: 'ops' })));
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        seconds(settings.SHUTDOWN_DELAY_MS!) + DRAIN_LIMIT_S,
      );
      // "CONSOLE_PORT" of a Service is no port
      expect(pod.enableServiceLinks).toBe(false);
    }
  });

  it('let services, budgets and policies choose pods that there are', () => {
    const labels = manifests
      .filter(({ manifest }) => manifest.kind === 'Deployment')
      .map(({ manifest }) => manifest.spec.template.metadata.labels);
    const selectors = manifests.flatMap(({ manifest: { kind, spec } }) => {
      if (kind === 'Service') return [spec.selector];
      if (kind === 'PodDisruptionBudget' || kind === 'Deployment') return [spec.selector.matchLabels];
      return kind === 'NetworkPolicy' ? [spec.podSelector.matchLabels] : [];
    });
    expect(selectors.length).toBeGreaterThan(5);
    for (const selector of selectors)
      expect(labels.some((own) => Object.entries(selector).every(([name, value]) => own[name] === value))).toBe(true);
    expect(existsSync(`${ROOT}/base/network.yaml`)).toBe(true);
  });
});
