/** The examples of deploy/ for nginx and Kubernetes against the gateway. nginx itself is in test/door/behind_nginx.test.ts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readSettings } from '../config/settings';
import { HealthController } from '../src/controller/health_controller';
import { MAX_UPLOAD_BYTES } from '../src/service/file/file_service';
import { DRAIN_MS } from '../src/service/run/agent_executor';
import { imageEnvironment } from './support/dockerfile';

const ROOT = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const nginx = read('deploy/nginx/neta-gateway.conf');

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
}
interface Container {
  ports: { name: string; containerPort: number }[];
  env: { name: string; value: string }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  volumeMounts: { name: string; mountPath: string }[];
  lifecycle: { preStop: { exec: { command: [string, string] } } };
}
interface Manifest {
  kind: string;
  metadata: { name: string; annotations: Record<string, string> };
  spec: {
    volumeClaimTemplates: { metadata: { name: string } }[];
    selector: Record<string, unknown>;
    replicas: number;
    ports: { name: string; targetPort: string }[];
    template: {
      metadata: { labels: Record<string, string> };
      spec: { containers: [Container]; terminationGracePeriodSeconds: number };
    };
  };
}

const manifests = parseAllDocuments(read('deploy/kubernetes/neta-gateway.yaml')).map(document => document.toJS() as Manifest);
function manifest(kind: string): Manifest {
  const found = manifests.find(one => one.kind === kind);
  if (!found) throw new Error(`there is no ${kind}`);
  return found;
}
const statefulSet = manifest('StatefulSet');
const { template, replicas, volumeClaimTemplates } = statefulSet.spec;
const [container] = template.spec.containers;

describe('the StatefulSet', () => {
  it('starts two gateways with settings that the gateway takes', () => {
    expect(replicas).toBe(2);
    const folder = mkdtempSync(join(tmpdir(), 'neta-secrets-'));
    const secrets = {
      DATABASE_URL: 'postgres://neta:choose-one@postgres.example.svc:5432/neta',
      NETA_API_KEYS: 'admin:choose-a-long-secret:default:chat+tools+approve+ops:read+ops:write+admin',
      OPENAI_API_KEY: 'choose-one',
    };
    for (const [name, text] of Object.entries(secrets)) writeFileSync(join(folder, name), text);
    const given = container.env.map(({ name, value }) => [name, value.replace('/run/secrets/neta', folder)]);
    const image = { ...imageEnvironment(), NETA_CONFIG_DIR: join(ROOT, 'config') };
    const settings = readSettings({ ...image, ...Object.fromEntries(given) }, ROOT);
    rmSync(folder, { recursive: true });
    const { DATABASE_URL: databaseUrl, OPENAI_API_KEY: apiKey } = secrets;
    expect(settings).toMatchObject({ host: '0.0.0.0', port: container.ports[0]?.containerPort, databaseUrl, openai: { apiKey } });
    expect(settings).toMatchObject({ apiKeys: [{ name: 'admin' }], warnings: [] });
  });

  it('brings no keys, and keeps data and workspace on volumes that outlive a pod', () => {
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
    const claimed = volumeClaimTemplates.map(({ metadata }) => metadata.name);
    const mounted = container.volumeMounts.filter(({ mountPath }) => ['/data', '/workspace'].includes(mountPath));
    expect(mounted.map(({ name }) => name)).toEqual(claimed);
    expect(container.startupProbe.periodSeconds * container.startupProbe.failureThreshold).toBeGreaterThanOrEqual(600);
  });

  it('asks probes that exist', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/healthz', '/healthz', '/readyz']);
    expect(Object.getOwnPropertyNames(HealthController.prototype)).toEqual(expect.arrayContaining(['healthz', 'readyz']));
  });

  it('waits for the runs of a gateway that stops', () => {
    const [, pause] = container.lifecycle.preStop.exec.command;
    expect(template.spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(Number(pause) * 1_000 + DRAIN_MS + 10_000);
  });

  it('is found by its Service and its disruption budget', () => {
    const { labels } = template.metadata;
    expect(manifest('Service').spec.selector).toEqual(labels);
    expect(statefulSet.spec.selector).toEqual({ matchLabels: labels });
    expect(manifest('PodDisruptionBudget').spec.selector).toEqual({ matchLabels: labels });
    expect(manifest('Service').spec.ports[0]?.targetPort).toBe(container.ports[0]?.name);
  });
});

it('balancers take the largest file of the gateway, wait for an hour and keep nothing back', () => {
  const largest = `${MAX_UPLOAD_BYTES / 1024 / 1024}m`;
  const { annotations } = manifest('Ingress').metadata;
  const ingress = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`];
  expect([ingress('proxy-body-size'), ingress('proxy-read-timeout'), ingress('proxy-buffering')]).toEqual([largest, '3600', 'off']);
  expect(nginx).toContain(`client_max_body_size ${largest};`);
  expect(nginx).toMatch(/proxy_read_timeout 1h;[\s\S]*proxy_send_timeout 1h;/);
  expect(nginx).toContain('proxy_buffering off;');
});
