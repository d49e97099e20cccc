/** Starts the gateway: settings, ports, services, then the doors. A failed start prints one sentence and ends the process. */
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { BootstrapStarter } from '@midwayjs/bootstrap';
import { HTTP_SERVER_KEY, MidwayContainer } from '@midwayjs/core';
import { readSettings, type Settings } from '../config/settings';
import { logFormat } from '../config/settings/log_values';
import { builtinTools } from './builtin_tools';
import { GatewayConfiguration } from './configuration';
import { createCoreServices } from './core_services';
import { installFeatures, servicesOf, storePartsOf } from './feature';
import { FEATURES } from './features';
import { clarifyResolvers } from './gateway/clarify_resolvers';
import { FILES_WITHOUT_CLASSES, InjectionCheck } from './injection_check';
import { loadModels } from './load_models';
import { createDoorGuard } from './middleware/door_guard';
import type { SandboxKind, Shell } from './port/shell';
import { createPorts, type Ports } from './ports';
import { ROUTES } from './routes';
import { AgentProfiles } from './service/agent/agent_profiles';
import type { KeyRing } from './service/auth/key_ring';
import { readLimits } from './service/limits/limits_supervisor';
import type { ModelCatalog } from './service/model/model_catalog';
import { loadApprovalRules } from './service/question/approval_rules';
import type { AgentExecutor } from './service/run/agent_executor';
import { createStop, StopSteps } from './stop';
import { formatBytes } from './utils/format_bytes';

/** A stop that takes longer ends the process with code 1. Kubernetes kills after 30 s. */
const STOP_LIMIT_MS = 28_000;

export interface StartedGateway {
  url: string;
  /** Every caller needs a key or a login. */
  isLocked: boolean;
}

/** Resolves once the doors are open; ends the process when the start fails. `root`: the directory of package.json. */
export async function main(root: string): Promise<StartedGateway> {
  try {
    const settings = readSettings(process.env, root);
    if (!existsSync(join(root, 'dist/web/index.html'))) throw new Error('the pages are not built: run "npm run build" first.');
    await assertPortIsFree(settings);
    const container = await composeContainer(settings, root);
    // The framework's logger writes to the home directory until it has read its settings, and a service account may have no home directory.
    process.env['MIDWAY_LOGGER_WRITEABLE_DIR'] = settings.dataDir;
    const starter = new BootstrapStarter();
    starter.configure({
      appDir: root,
      baseDir: __dirname,
      applicationContext: container,
      imports: [GatewayConfiguration],
      ignore: FILES_WITHOUT_CLASSES,
    });
    await starter.run();
    await listening(container.get(HTTP_SERVER_KEY));
    const ports: Ports = container.get('ports');
    const models: ModelCatalog = container.get('modelCatalog');
    for (const warning of settings.warnings) ports.logger.event('warn', warning, {});
    stopOnSignals(starter, container);
    const url = announce(container.get(HTTP_SERVER_KEY), settings, { ports, model: models.info });
    return { url, isLocked: container.get<KeyRing>('keyRing').isLocked };
  } catch (thrown) {
    return fail(thrown);
  }
}

async function composeContainer(settings: Settings, root: string): Promise<MidwayContainer> {
  const ports = await createPorts(settings, storePartsOf(FEATURES));
  const profiles = await AgentProfiles.load(ports.configFiles);
  const approvalSettings = await loadApprovalRules(ports.configFiles);
  const modelCatalog = await loadModels(settings, ports);
  const limits = await readLimits(ports.configFiles);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const services = createCoreServices({
    settings: { ...settings, warnings: [...settings.warnings, ...ports.networkWarnings] },
    ports,
    profiles,
    modelCatalog,
    builtinTools: builtinTools(),
    approvalSettings,
    limits,
    resolvers: clarifyResolvers,
    version,
  });
  const container = new MidwayContainer();
  container.registerObject('stopSteps', new StopSteps());
  container.registerObject('injectionCheck', new InjectionCheck(container, __dirname));
  const features = installFeatures(FEATURES, services);
  container.registerObject('core', services);
  container.registerObject('features', features);
  container.registerObject(
    'doorForms',
    FEATURES.flatMap(({ form }) => form ?? []),
  );
  container.registerObject('routes', ROUTES);
  const { origins, hosts, trustedProxies: proxies, basePath } = settings;
  container.registerObject('doorGuard', createDoorGuard({ origins, hosts, proxies, basePath, callers: ports.callers }));
  for (const [name, service] of servicesOf(services, features)) container.registerObject(name, service);
  return container;
}

function assertPortIsFree({ port, host }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isUsed = error.code === 'EADDRINUSE';
      reject(
        new Error(
          isUsed ? `Port ${port} is in use: stop the other program or set PORT to another number.` : `${host}:${port}: ${error.message}.`,
        ),
      );
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    if (server.listening) return resolve();
    server.once('listening', resolve);
    server.once('error', reject);
  });
}

/** Prints the only line on stdout, which stays plain with JSON logs too, and returns the address in it. */
function announce(
  server: Server,
  { host, failpoints, log }: Settings,
  { ports: { shell, logger }, model: info }: { ports: Ports; model: ModelCatalog['info'] },
): string {
  const { port } = server.address() as AddressInfo;
  const model = info.demo ? 'demo model: a script, no AI; set OPENAI_API_KEY for a real one' : `model ${info.model}`;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  console.log(`neta-gateway is ready on ${url} (${model})`);
  const lines = [...describeShell(shell), ...(failpoints ? [`WARNING: failpoints are armed (NETA_DEBUG_POINTS=${failpoints}).`] : [])];
  for (const line of lines) {
    if (log.format === 'text') console.error(`neta-gateway: ${line}`);
    else logger.event(line.startsWith('WARNING') ? 'warn' : 'info', line, {});
  }
  return url;
}

const SANDBOX_LINES: Record<SandboxKind, string> = {
  bubblewrap: 'commands run in a sandbox (bubblewrap), without network.',
  namespaces: 'commands run in a sandbox (namespaces), without network.',
  none: 'WARNING: commands run without a sandbox, as this user.',
};

function describeShell({ isolation, sandboxProblem, limits, isWatched }: Shell): string[] {
  const watched = isWatched ? `${limits.processes} processes and threads, ` : '';
  const memory = `${formatBytes(limits.memoryBytes)} of memory${isWatched ? '' : ' a process'}`;
  const asking = sandboxProblem === undefined ? '' : ` ${sandboxProblem} Until then each command needs the approval of a person.`;
  return [
    `${SANDBOX_LINES[isolation]}${asking}`,
    `limits of a command: ${watched}${memory}, ${limits.cpuSeconds} s of processor time a process, ${formatBytes(limits.fileBytes)} a file.`,
  ];
}

function stopOnSignals(starter: BootstrapStarter, container: MidwayContainer): void {
  const executor: AgentExecutor = container.get('agentExecutor');
  const { logger }: Ports = container.get('ports');
  const stop = createStop({
    stop: () => starter.stop(),
    cutDrain: () => executor.cutDrain(),
    steps: container.get('stopSteps'),
    logger,
    exit: code => process.exit(code),
    limitMs: STOP_LIMIT_MS,
  });
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('uncaughtException', error => logger.error('uncaught exception', error));
  process.on('unhandledRejection', error => logger.error('unhandled rejection', error));
}

function fail(thrown: unknown): never {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const line = `neta-gateway cannot start: ${message}`;
  console.error(logFormat(process.env) === 'text' ? line : JSON.stringify({ time: new Date().toISOString(), level: 'error', msg: line }));
  process.exit(1);
}
