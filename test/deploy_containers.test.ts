/** The image, the example for Docker Compose and the Helm chart, as far as they can be checked without Docker and Kubernetes. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings } from '../config/settings';
import { SettingsSchema } from '../config/settings/settings_schema';
import { imageCommand, imageEnvironment, imageInstructions, instructions } from './support/dockerfile';

const ROOT = join(__dirname, '..');
const CHART = join(ROOT, 'deploy/helm/neta-gateway');
/** The first start copies the configuration of the package into /data. */
const IMAGE = { ...imageEnvironment(), NETA_CONFIG_DIR: join(ROOT, 'config') };
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the Dockerfile', () => {
  const named = (name: string) => imageInstructions.filter(one => one.name === name).map(({ rest }) => rest);

  it('begins each stage with the Node of the package, at a full version', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } };
    const bases = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest.split(' ')[0]);
    expect(new Set(bases)).toEqual(new Set([`node:${dependencies.node}-bookworm-slim`]));
  });

  it('runs as a user without rights, with a first process that reaps, and tells whether it is healthy', () => {
    expect(named('USER')).toEqual(['65534:65534']);
    expect(named('HEALTHCHECK')).toEqual([expect.stringContaining('healthcheck.mjs')]);
    expect(named('ENTRYPOINT')).toEqual(['["tini", "--", "neta"]']);
    expect(imageCommand()).toEqual(['neta', 'start']);
  });

  it('fetches nothing by address, and leaves no lists of packages', () => {
    expect(instructions.filter(({ name }) => name === 'ADD')).toEqual([]);
    for (const { name, rest } of instructions) {
      if (name !== 'RUN') continue;
      expect(rest).not.toMatch(/curl|wget|sudo|https?:/);
      if (rest.includes('apt-get install')) expect(rest).toMatch(/apt-get update .*--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists/);
    }
  });

  it('copies only files that .dockerignore leaves in', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const part of ['deploy/image', 'docs', 'scripts', 'src', 'web', 'config', 'clients', 'tool-helpers'])
      expect([part, ignored.includes(part)]).toEqual([part, false]);
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/.env', '!deploy/image']));
    expect(ignored).toEqual(expect.arrayContaining(['config/limits.yaml', 'config/models.yaml', 'config/tool-settings/*.yaml']));
  });

  it('sets settings that the gateway takes, and keeps everything of the gateway in one directory', () => {
    expect(() => readSettings(IMAGE, ROOT)).toThrow(/set NETA_API_KEYS and NETA_ORIGINS/);
    expect(imageEnvironment()).toMatchObject({ NETA_HOME: named('VOLUME')[0], HOST: '0.0.0.0' });
    for (const name of Object.keys(imageEnvironment())) expect([...Object.keys(SettingsSchema.properties), 'NODE_ENV']).toContain(name);
  });
});

it('each secret setting can come from a file', () => {
  const secrets = Object.entries(SettingsSchema.properties).flatMap(([name, schema]) => ('isSecret' in schema ? [name] : []));
  const looksSecret = Object.keys(SettingsSchema.properties).filter(name =>
    /KEYS?$|_TOKEN$|SECRET|PASSWORD|^DATABASE|^REDIS|HEADERS$/.test(name),
  );
  expect(looksSecret.filter(name => !secrets.includes(name))).toEqual([]);
  for (const name of secrets)
    expect(() => readSettings({ [`${name}_FILE`]: '/no/such/file' }, ROOT)).toThrow(`${name}_FILE: /no/such/file cannot be read`);
});

interface Service {
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  profiles?: string[];
  depends_on?: Record<string, unknown>;
  stop_grace_period?: string;
}

describe('deploy/compose.yaml', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: object;
    secrets: Record<string, { file: string }>;
    networks: { default: { ipam: { config: { subnet: string }[] } } };
  };
  const { services } = compose;
  const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway'));

  it('names only services, volumes and secrets that it has, and images at a version', () => {
    for (const { image, secrets = [], volumes = [], depends_on = {} } of Object.values(services)) {
      expect(image).toMatch(/^[\w/.-]+:\d+\.\d+/);
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      for (const volume of volumes.map(text => text.split(':')[0] ?? ''))
        expect(volume.startsWith('./') ? existsSync(join(ROOT, 'deploy', volume)) : Object.hasOwn(compose.volumes, volume)).toBe(true);
    }
  });

  it('starts gateways without rights on a file system that is read-only, and reaches them from this machine alone', () => {
    for (const [, service] of gateways) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '45s' });
      expect(service.security_opt).toContain('no-new-privileges:true');
      const profile = service.security_opt?.find(option => option.startsWith('seccomp='))?.slice('seccomp='.length) ?? '';
      expect(existsSync(join(ROOT, 'deploy', profile))).toBe(true);
    }
    for (const port of Object.values(services).flatMap(({ ports = [] }) => ports)) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(services['gateway-sqlite']?.profiles).toEqual(['sqlite']);
  });

  it('gives the gateways settings that they take, with the secrets of make_secrets.sh', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'neta-compose-')), 'secrets');
    const made = spawnSync('sh', [join(ROOT, 'deploy/make_secrets.sh'), folder], { encoding: 'utf8' });
    expect(readdirSync(folder).sort()).toEqual(Object.keys(compose.secrets).sort());
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(spawnSync('git', ['check-ignore', 'deploy/secrets/api_keys'], { cwd: ROOT })).toMatchObject({ status: 0 });
    expect(spawnSync('sh', [join(ROOT, 'deploy/make_secrets.sh'), folder])).toMatchObject({ status: 1 });
    for (const [name, { environment = {} }] of gateways) {
      const usual = (text: string) => text.replace(/\$\{\w+:-([^}]*)\}/, '$1').replace('/run/secrets', folder);
      const given = Object.fromEntries(Object.entries(environment).map(([key, text]) => [key, usual(text)]));
      const settings = readSettings({ ...IMAGE, ...given }, ROOT);
      expect(settings.apiKeys.map(({ secret }) => `admin key: ${secret}\n`)).toEqual([made.stdout]);
      expect(settings.databaseUrl).toEqual(name === 'gateway' ? expect.stringContaining('@postgres:5432/neta') : undefined);
      expect(settings.warnings).toEqual([]);
    }
    rmSync(folder, { recursive: true });
    expect(services['gateway']?.environment?.['NETA_TRUST_PROXY']).toBe(compose.networks.default.ipam.config[0]?.subnet);
  });

  it('has the nginx of deploy/nginx, but for the upstream', () => {
    const locationOf = (path: string) => /^ {2}location [\s\S]*^ {2}\}$/m.exec(read(path))?.[0];
    expect(locationOf('deploy/compose/nginx.conf')).toBe(locationOf('deploy/nginx/neta-gateway.conf'));
    expect(read('deploy/compose/nginx.conf')).toContain('server gateway:7001 ');
  });
});

interface Profile {
  defaultAction: string;
  syscalls: { names: string[]; action: string; args?: unknown[] }[];
}

it('the seccomp profile refuses what no command needs, and nothing that the sandbox needs', () => {
  const profile = JSON.parse(read('deploy/seccomp/neta-gateway.json')) as Profile;
  const refused = profile.syscalls.filter(({ args }) => args === undefined).flatMap(({ names }) => names);
  expect([profile.defaultAction, new Set(profile.syscalls.map(({ action }) => action))]).toEqual([
    'SCMP_ACT_ALLOW',
    new Set(['SCMP_ACT_ERRNO']),
  ]);
  expect(refused).toEqual(expect.arrayContaining(['init_module', 'kexec_load', 'bpf', 'keyctl', 'open_by_handle_at', 'perf_event_open']));
  const needed = ['clone', 'clone3', 'unshare', 'setns', 'mount', 'umount2', 'pivot_root', 'sethostname', 'chroot', 'prctl'];
  expect(refused.filter(name => needed.includes(name))).toEqual([]);
  expect(refused).toHaveLength(new Set(refused).size);
});

describe('the Helm chart', () => {
  const toObjects = (text: string): unknown[] => {
    const all = parseAllDocuments(text).map(document => document.toJS() as { kind: string } | null);
    return all.filter(one => one !== null).sort((a, b) => a.kind.localeCompare(b.kind));
  };
  const render = (values: string): string => {
    const script = `const { renderChart } = await import('./scripts/render_chart.mjs'); process.stdout.write(renderChart(${values}));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: ROOT, encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout;
  };

  it('is what deploy/kubernetes/ was rendered from ("npm run docs:manifests")', () => {
    expect(render('')).toBe(read('deploy/kubernetes/neta-gateway.yaml'));
  });

  it('has the version of the gateway', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
    expect(read('deploy/compose.yaml')).toContain(`image: neta-gateway:${version}\n`);
  });

  it('leaves out the Secret and the Ingress when they exist already, and takes the values of the sandbox', () => {
    const sandbox = parse(readFileSync(join(CHART, 'values-sandbox.yaml'), 'utf8')) as object;
    const text = render(JSON.stringify({ ...sandbox, secrets: { create: false, name: 'own' }, ingress: { enabled: false } }));
    expect(toObjects(text).map(one => (one as { kind: string }).kind)).toEqual(['PodDisruptionBudget', 'Service', 'StatefulSet']);
    expect(toObjects(text).at(-1)).toMatchObject({
      spec: {
        template: {
          spec: { hostUsers: false, containers: [{ securityContext: { procMount: 'Unmasked', readOnlyRootFilesystem: true } }] },
        },
      },
    });
  });

  const hasHelm = spawnSync('helm', ['version']).status === 0;
  (hasHelm ? it : it.skip)('gives the same objects with helm template (needs helm)', () => {
    const { stdout } = spawnSync('helm', ['template', 'neta-gateway', CHART], { encoding: 'utf8' });
    expect(toObjects(stdout)).toEqual(toObjects(read('deploy/kubernetes/neta-gateway.yaml')));
  });
});
