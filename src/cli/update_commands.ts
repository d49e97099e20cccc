/** Commands that change the version of an installed gateway: update and rollback. */
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { homeOf } from '../../config/settings/home_folder';
import { type Command, EXIT, type Invocation, UsageError } from './command';
import { openData } from './data_commands';
import { ROOT } from './directory';
import { isInstalled } from './gateway_folder';
import { addressOf, findPlace, readEnvironment } from './gateway_place';
import { type Candidate, unpackCandidate } from './update/candidate';
import { type RehearsalReport, rehearseUpdate } from './update/rehearsal';
import { isReady, type SwitchResult, switchVersion } from './update/switch_version';
import { UPDATE_TEXTS as TEXTS, UpdateError } from './update/update_texts';
import { type CurrentVersion, VersionFolder } from './update/versions';

const WATCH_SECONDS = 60;
const RUNS = 20;

/** The gateway of the folder. */
interface Site {
  env: NodeJS.ProcessEnv;
  versions: VersionFolder;
  url: string;
}

const WATCH = {
  type: 'string',
  summary: { en: `seconds to watch the new version (default ${WATCH_SECONDS})`, 'zh-CN': `观察新版本的秒数（默认 ${WATCH_SECONDS}）` },
} as const;

const update: Command = {
  usage: '',
  summary: {
    en: 'Rehearse another version on a copy of the data, switch to it, and go back when it is not healthy',
    'zh-CN': '在数据副本上演练另一版本，然后切换；运行不正常时自动恢复',
  },
  options: {
    to: { type: 'string', summary: { en: 'version or file of the package (default: latest)', 'zh-CN': '版本或包文件（默认：latest）' } },
    check: { type: 'boolean', summary: { en: 'rehearse only', 'zh-CN': '只演练' } },
    runs: {
      type: 'string',
      summary: { en: `recorded runs to replay (default ${RUNS})`, 'zh-CN': `重放的已录制运行数（默认 ${RUNS}）` },
    },
    watch: WATCH,
  },
  run: invocation => onSite(invocation, site => updateTo(site, invocation)),
};

async function updateTo(site: Site, invocation: Invocation): Promise<number> {
  const { options, output, language } = invocation;
  const [runs, watchMs] = [readCount(options['runs'], 'runs', RUNS), readCount(options['watch'], 'watch', WATCH_SECONDS) * 1_000];
  const current = await site.versions.readCurrent();
  const candidate = await unpackCandidate(String(options['to'] ?? 'latest'), site.versions.path, current.version);
  if (candidate.version === current.version) {
    output.line(`${TEXTS.same[language]} ${candidate.version}`);
    return EXIT.done;
  }
  output.note(`${TEXTS.unpacked[language]} ${candidate.version}`);
  const data = openData(site.env);
  const { file: archive } = await data.makeBackup({ directory: data.backupDir });
  output.note(`${TEXTS.backup[language]} ${archive}`);
  const { env, versions } = site;
  const report = await rehearseUpdate({ currentRoot: ROOT, candidate, archive, data, versions: versions.path, env, runs });
  const mayGoOn = report.findings.every(({ kind }) => kind === 'shown');
  showReport(report, invocation);
  if (!mayGoOn || options['check']) return finishRehearsal(mayGoOn, { candidate, archive, report }, invocation);
  const next: CurrentVersion = { ...current, version: candidate.version, previous: current.version, isProven: false };
  const result = await switchTo(next, { site, watchMs }, invocation);
  if (output.isJson) output.json({ version: candidate.version, backup: archive, ...report, result });
  return result === 'switched' || result === 'chosen' ? EXIT.done : EXIT.failed;
}

function finishRehearsal(
  mayGoOn: boolean,
  { candidate, archive, report }: { candidate: Candidate; archive: string; report: RehearsalReport },
  { output, language }: Invocation,
): number {
  if (output.isJson) output.json({ version: candidate.version, backup: archive, ...report, result: mayGoOn ? 'rehearsed' : 'blocked' });
  else output.line(mayGoOn ? TEXTS.rehearsed[language] : TEXTS.blocked[language]);
  return mayGoOn ? EXIT.done : EXIT.failed;
}

const rollback: Command = {
  usage: '',
  summary: { en: 'Go back to the version before the last update', 'zh-CN': '回到上次更新之前的版本' },
  options: { watch: WATCH },
  run: invocation => onSite(invocation, site => goBack(site, invocation)),
};

async function goBack(site: Site, invocation: Invocation): Promise<number> {
  const { options, output } = invocation;
  const watchMs = readCount(options['watch'], 'watch', WATCH_SECONDS) * 1_000;
  const current = await site.versions.readCurrent();
  if (current.previous === null) throw new UpdateError(TEXTS.nothingBefore);
  const next: CurrentVersion = { ...current, version: current.previous, previous: current.version, isProven: false };
  const result = await switchTo(next, { site, watchMs }, invocation);
  if (output.isJson) output.json({ version: next.version, result });
  return result === 'switched' || result === 'chosen' ? EXIT.done : EXIT.failed;
}

async function switchTo(
  next: CurrentVersion,
  { site, watchMs }: { site: Site; watchMs: number },
  { output, language }: Invocation,
): Promise<SwitchResult> {
  const onRunning = () => output.note(`${TEXTS.watching[language]} ${watchMs / 1_000}`);
  const result = await switchVersion(next, { ...site, watchMs, onRunning });
  const sentences: Record<SwitchResult, string> = {
    switched: `${TEXTS.switched[language]} ${next.version}`,
    chosen: `${TEXTS.chosen[language]} ${next.version}`,
    went_back: `${TEXTS.wentBack[language]} ${next.previous}`,
    lost: TEXTS.notBack[language],
  };
  if (!output.isJson) output.line(sentences[result]);
  return result;
}

function showReport({ replayed, findings }: RehearsalReport, { output, language }: Invocation): void {
  output.note(`${replayed} ${TEXTS.replayed[language]}`);
  for (const { kind, what, detail } of findings) output.note(`${what[language]}: ${detail}`, kind === 'blocks' ? 'red' : 'yellow');
}

/** Rejects with UpdateError unless the gateway of the folder is ready below its supervisor, or does not run. */
async function openSite(invocation: Invocation): Promise<Site> {
  if (!isInstalled) throw new UpdateError(TEXTS.checkout);
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const folder = await realpath(homeOf(await readEnvironment('.', invocation.env), ROOT));
  const versions = new VersionFolder(folder, { root: await realpath(ROOT), version });
  const running = await versions.readRunning();
  // The gateway may have been started with settings that this terminal does not have.
  const env = await readEnvironment(folder, { ...invocation.env, ...(await environmentOf(running?.supervisor)) });
  const url = running?.url ?? addressOf(findPlace(ROOT, env));
  const isUp = await isReady(url);
  if (running && !isUp) throw new UpdateError(TEXTS.notReady, url);
  if (!running && isUp) throw new UpdateError(TEXTS.unwatched, url);
  return { env, versions, url };
}

/** Resolves with the environment in which a process was started. */
async function environmentOf(pid: number | undefined): Promise<NodeJS.ProcessEnv> {
  const text = pid === undefined ? '' : await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return Object.fromEntries(text.split('\0').flatMap(line => (line.includes('=') ? [splitOnce(line)] : [])));
}

const splitOnce = (line: string): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)];

function readCount(value: string | boolean | undefined, name: string, usual: number): number {
  if (value === undefined) return usual;
  if (typeof value !== 'string' || !/^\d{1,4}$/.test(value)) throw new UsageError(`--${name}: 0 - 9999`);
  return Number(value);
}

/** Runs one command at a time. An UpdateError is told in the language of the person. */
async function onSite(invocation: Invocation, work: (site: Site) => Promise<number>): Promise<number> {
  try {
    const site = await openSite(invocation);
    const code = await site.versions.alone(() => work(site).finally(() => site.versions.deleteOthers()));
    if (code === undefined) throw new UpdateError(TEXTS.updating);
    return code;
  } catch (thrown) {
    throw thrown instanceof UpdateError ? new Error(thrown.in(invocation.language)) : thrown;
  }
}

export const UPDATE_COMMANDS = { update, rollback };
