import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';
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
  unknownSettings,
  variablesIn,
  yamlOf,
} from './deployment-files.fixture.js';

const ROOT = 'ops/kubernetes';
const directories = readdirSync(ROOT);
const files = directories.flatMap((name) =>
  readdirSync(path.join(ROOT, name)).map((file) => path.join(ROOT, name, file)),
);
const manifests = files
  .filter((file) => file.endsWith('.yaml') && path.basename(file) !== 'kustomization.yaml')
  .flatMap((file) => documentsOf(file).map((manifest) => ({ file, manifest })));
const settings = variablesIn(`${ROOT}/base/settings.env`);

/** Calls the public URLs, and is not part of the service. */
const BLACKBOX = 'recharge-gateway-blackbox';

const containersOf = (pod: any): any[] => [...(pod.initContainers ?? []), ...pod.containers];
/** Pod of a manifest. */
const podOf = ({ kind, spec }: any): any =>
  kind === 'CronJob'
    ? spec.jobTemplate.spec.template.spec
    : kind === 'Deployment' || kind === 'Job'
      ? spec.template.spec
      : undefined;
const pods = manifests.flatMap(({ file, manifest }) => {
  const pod = podOf(manifest);
  return pod && manifest.metadata.name !== BLACKBOX
    ? [{ name: `${file} ${manifest.metadata.name}`, kind: manifest.kind as string, pod }]
    : [];
});

describe('the manifests', () => {
  it('are all part of a kustomization, and each kustomization refers to existing files', () => {
    const named = directories.flatMap((name) => {
      const { resources, configMapGenerator = [] } = yamlOf(path.join(ROOT, name, 'kustomization.yaml'));
      const all = [
        ...resources,
        ...configMapGenerator.flatMap(({ envs = [], files: of = [] }: any) => [...envs, ...of]),
      ];
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

  it('contain only known settings, including those required by the service and its providers, and no secret', () => {
    expect(unknownSettings(Object.keys(settings))).toEqual([]);
    // optional files stay commented out, because a missing file would prevent the start
    const offered = readFileSync(`${ROOT}/base/settings.env`, 'utf8').matchAll(/^#([A-Z_]+)=/gm);
    const optional = [...offered].map(([, name]) => name!);
    expect(optional).toEqual(expect.arrayContaining([...providerVariables, 'REDIS_URL_FILE', 'SMTP_URL_FILE']));
    expect(unknownSettings(optional)).toEqual([]);
    expect(Object.keys(settings).filter((name) => optional.includes(name))).toEqual([]);
    expect(requiredSettings.filter((name) => !(name in settings) && !(`${name}_FILE` in settings))).toEqual([]);
    for (const { name, pod } of pods) {
      const variables = containersOf(pod).flatMap(({ env = [] }: any) => env.map((variable: any) => variable.name));
      // POD_NAME is only used in the next variable
      expect([name, unknownSettings(variables.filter((variable: string) => variable !== 'POD_NAME'))]).toEqual([
        name,
        [],
      ]);
    }
    expect(unknownSettings(['SHUTDOWN_DELAY'])).toEqual(['SHUTDOWN_DELAY']);
    expect(manifests.filter(({ manifest }) => manifest.kind === 'Secret')).toEqual([]);
  });

  it('run programs that exist in the image, without privileges, with no writable directories except those for output', () => {
    expect(pods.length).toBeGreaterThan(3);
    for (const { name, kind, pod } of pods) {
      expect([name, pod.securityContext]).toMatchObject([
        name,
        { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      ]);
      expect([name, pod.automountServiceAccountToken]).toEqual([name, false]);
      for (const { command, image, securityContext, resources, volumeMounts } of containersOf(pod)) {
        if (command && image === 'recharge-gateway') expect(commands).toContain(commandOf(command));
        expect([name, ['recharge-gateway', 'postgres:18']]).toEqual([name, expect.arrayContaining([image])]);
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
      // only migrations get the password of the owner
      const secrets = pod.volumes.flatMap(({ secret }: any) => (secret ? [secret.secretName] : []));
      expect([name, secrets]).toEqual([name, [kind === 'Job' ? 'recharge-gateway-owner' : 'recharge-gateway']]);
    }
  });

  it('probe the right listener, and give a process enough time to stop', () => {
    const deployments = pods.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.length).toBe(2);
    for (const { name, pod } of deployments) {
      const [container] = pod.containers;
      const ports = Object.fromEntries(container.ports.map((port: any) => [port.name, port.containerPort]));
      expect([name, PORTS]).toMatchObject([name, ports]);
      const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet);
      expect(probes).toEqual(['/livez', '/livez', '/readyz'].map((probe) => ({ path: probe, port: 'ops' })));
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        seconds(settings.SHUTDOWN_DELAY_MS!) + DRAIN_LIMIT_S,
      );
      // "CONSOLE_PORT" from a Service would not be a port number
      expect(pod.enableServiceLinks).toBe(false);
    }
  });

  it('migrate and create the login before they start pods, while pods of the previous version serve', () => {
    const [job] = pods.filter(({ kind }) => kind === 'Job').map(({ pod }) => pod);
    expect(job.initContainers.map(({ command }: any) => commandOf(command))).toEqual(['migrate']);
    expect(job.containers[0].args[0]).toContain('--file /sql/service-login.sql');
    expect(readFileSync(`${ROOT}/base/service-login.sql`, 'utf8')).toBe(
      readFileSync('ops/postgres/service-login.sql', 'utf8'),
    );
    for (const { name, pod } of pods.filter(({ kind }) => kind === 'Deployment'))
      expect([name, pod.initContainers[0].command]).toEqual([name, ['gateway', 'migrate', '--wait']]);
    for (const { manifest } of manifests.filter((other) =>
      pods.some(
        ({ name }) => name.endsWith(` ${other.manifest.metadata.name}`) && other.manifest.kind === 'Deployment',
      ),
    ))
      expect(manifest.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  });

  it('keep the anchors of each pod on a persistent volume, where the doctor reads them', async () => {
    const [claim] = manifests.filter(({ manifest }) => manifest.kind === 'PersistentVolumeClaim');
    expect(claim!.manifest.spec.accessModes).toEqual(['ReadWriteMany']);
    const mounting = pods.filter(({ kind }) => kind !== 'Job');
    for (const { name, kind, pod } of mounting) {
      const [container] = pod.containers;
      const volume = pod.volumes.find((candidate: any) => candidate.name === 'anchors');
      expect([name, volume.persistentVolumeClaim.claimName]).toEqual([name, claim!.manifest.metadata.name]);
      expect(container.volumeMounts).toContainEqual(
        expect.objectContaining({ name: 'anchors', mountPath: '/anchors' }),
      );
      if (kind === 'Deployment')
        expect(
          container.env.slice(-2).map((variable: any) => variable.value ?? variable.valueFrom.fieldRef.fieldPath),
        ).toEqual(['metadata.name', '/anchors/$(POD_NAME).jsonl']);
    }
    // runs the command line of the doctor with a program that prints its arguments
    const directory = temporaryDirectory();
    const doctor = mounting.find(({ kind }) => kind === 'CronJob')!.pod.containers[0].command as string[];
    const printed = (): string => {
      const [shell, options, script, program, ...args] = doctor;
      const line = script!.replaceAll('/anchors', directory).replace('exec', 'exec echo');
      return execFileSync(shell!, [options!, line, program!, ...args], { encoding: 'utf8' }).trim();
    };
    expect(printed()).toBe('gateway doctor');
    for (const pod of ['one', 'two']) writeFileSync(path.join(directory, `${pod}.jsonl`), '');
    expect(printed()).toBe(`gateway doctor --anchors ${directory}/one.jsonl --anchors ${directory}/two.jsonl`);
  });

  it('check readiness as described in the documentation for administrators', () => {
    const page = readFileSync('docs/run.md', 'utf8');
    const [, periodSeconds, failureThreshold] =
      /`readinessProbe` with `periodSeconds: (\d+)` and `failureThreshold: (\d+)`/.exec(page)!.map(Number);
    for (const { pod } of pods.filter(({ kind }) => kind === 'Deployment'))
      expect(pod.containers[0].readinessProbe).toMatchObject({ periodSeconds, failureThreshold });
  });

  it('scrape the processes and probe the public URLs with the jobs that the alerts use', () => {
    const of = (kind: string, name?: string) =>
      manifests
        .map(({ manifest }) => manifest)
        .find((document) => document.kind === kind && (!name || document.metadata.name === name));
    const alerts = readFileSync('ops/alerts.yml', 'utf8');
    const { labels } = yamlOf(`${ROOT}/base/kustomization.yaml`);
    expect(alerts).toContain(`up{job="${labels[0].pairs[of('ServiceMonitor').spec.jobLabel]}"}`);
    const probe = of('Probe').spec;
    expect(alerts).toContain(`probe_success{job="${probe.jobName}"}`);
    const service = of('Service', BLACKBOX);
    expect(probe.prober.url).toBe(`${service.metadata.name}:${service.spec.ports[0].port}`);
    const config = readFileSync(`${ROOT}/probe/blackbox.yml`, 'utf8');
    expect(config).toBe(readFileSync('ops/blackbox.yml', 'utf8'));
    expect(Object.keys(yamlOf('ops/blackbox.yml').modules)).toContain(probe.module);
    const { securityContext, automountServiceAccountToken, containers } = podOf(of('Deployment', BLACKBOX));
    expect([securityContext.runAsNonRoot, automountServiceAccountToken]).toEqual([true, false]);
    expect(containers[0].image).toBe(/BLACKBOX_EXPORTER_IMAGE:-(\S+)\}/.exec(readFileSync('compose.yaml', 'utf8'))![1]);
    expect(containers[0].securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('have services, budgets and policies that select existing pods', () => {
    const labels = manifests
      .filter(({ manifest }) => manifest.kind === 'Deployment')
      .map(({ manifest }) => manifest.spec.template.metadata.labels);
    const selectors = manifests.flatMap(({ manifest: { kind, spec } }) => {
      if (kind === 'Service') return [spec.selector];
      if (kind === 'PodDisruptionBudget' || kind === 'Deployment') return [spec.selector.matchLabels];
      return kind === 'NetworkPolicy' && spec.podSelector.matchLabels ? [spec.podSelector.matchLabels] : [];
    });
    expect(selectors.length).toBeGreaterThan(5);
    for (const selector of selectors)
      expect(labels.some((own) => Object.entries(selector).every(([name, value]) => own[name] === value))).toBe(true);
    expect(existsSync(`${ROOT}/base/network.yaml`)).toBe(true);
  });

  it('allow every pod the connections that it needs, and no others', () => {
    const { spec } = manifests
      .map(({ manifest }) => manifest)
      .find(({ kind, spec: { policyTypes = [] } }) => kind === 'NetworkPolicy' && policyTypes.includes('Egress'));
    const [{ key, values }] = spec.podSelector.matchExpressions;
    const components = manifests.flatMap(({ manifest }) => {
      const template = manifest.kind === 'CronJob' ? manifest.spec.jobTemplate.spec.template : manifest.spec?.template;
      return template && manifest.metadata.name !== BLACKBOX ? [template.metadata.labels[key]] : [];
    });
    expect(values.toSorted()).toEqual(components.toSorted());
    const ports = spec.egress.flatMap(({ ports: all }: any) => all.map(({ port }: any) => port));
    expect(ports.toSorted((a: number, b: number) => a - b)).toEqual([53, 53, 443, 465, 587, 5432, 6379]);
    const anywhere = spec.egress.find(({ ports: [first] }: any) => first.port === 443).to;
    // the metadata service of clouds, which returns credentials to any client
    expect(anywhere[0].ipBlock.except).toContain('169.254.0.0/16');
  });
});
