/** The command of the first run: onboard. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { type Command, EXIT, type Invocation, UsageError } from './command';
import { envFileOf } from './env_file';
import { startGateway } from './local_commands';
import { type OnboardReport, setUp } from './onboard';
import { ONBOARD_TEXTS as TEXTS } from './onboard_texts';
import { openTerminalPrompts, type Prompts, USUAL_ANSWERS } from './prompts';
import { type InstalledService, installService } from './service';
import { reportService } from './service_commands';

const SERVICES = ['none', 'user', 'system'] as const;
type ServiceChoice = (typeof SERVICES)[number];

const option = (en: string, zhCN: string) => ({ type: 'string', summary: { en, 'zh-CN': zhCN } }) as const;

const onboard: Command = {
  usage: '[directory]',
  summary: {
    en: 'Set up a gateway in a directory: port, model, workspace, first key and account, service',
    'zh-CN': '在目录中设置网关：端口、模型、工作区、第一个密钥和账户、服务',
  },
  options: {
    yes: { type: 'boolean', summary: { en: 'take the usual answer to each question', 'zh-CN': '每个问题都采用常用答案' } },
    port: option('port (default: 7001, or the next free one)', '端口（默认 7001，或下一个空闲端口）'),
    host: option('address to listen on (default 127.0.0.1)', '监听地址（默认 127.0.0.1）'),
    workspace: option('directory for the files of the agent', '智能体的文件目录'),
    'base-url': option('address of the model server', '模型服务的地址'),
    api: option('form of its requests: chat, responses, anthropic, google', '请求的形式：chat、responses、anthropic、google'),
    'key-env': option('variable of the environment with its key', '存有其密钥的环境变量'),
    model: option('name of the model', '模型名称'),
    'admin-key-name': option('name of the first key (default admin; none: no key)', '第一个密钥的名称（默认 admin；none 表示没有）'),
    account: option('e-mail of the first account, an operator (default: no account)', '第一个账户（operator）的电子邮件（默认没有）'),
    service: option('none, user or system (default none)', 'none、user 或 system（默认 none）'),
  },
  async run(invocation) {
    const { args, options, output, language } = invocation;
    if (!options['yes'] && !(process.stdin.isTTY && process.stderr.isTTY)) throw new UsageError(TEXTS.noTerminal[language]);
    const directory = resolve(args[0] ?? '.');
    const prompts = options['yes'] ? USUAL_ANSWERS : openTerminalPrompts();
    let isStarting = false;
    try {
      // An unknown answer must not be found after everything else is done.
      readService(invocation, String(options['service'] ?? 'none'));
      const report = await setUp({ ...invocation, directory, prompts });
      if (!output.isJson) show(report, invocation);
      const choice = await chooseService(invocation, prompts);
      const installed = choice === 'none' ? undefined : await installService(directory, choice, invocation);
      if (output.isJson) output.json({ ...report, service: choice });
      isStarting = await finish(invocation, prompts, report, installed);
    } finally {
      prompts.close();
    }
    if (!isStarting) return EXIT.done;
    process.loadEnvFile(envFileOf(directory));
    await startGateway();
    // Never resolves: the process lives as long as the server, and signals end it.
    return new Promise(() => {});
  },
};

function readService({ language }: Invocation, answer: string): ServiceChoice {
  const choice = SERVICES.find(known => known === answer);
  if (choice === undefined) throw new UsageError(`--service ${TEXTS.badService[language]}`);
  return choice;
}

async function chooseService(invocation: Invocation, prompts: Prompts): Promise<ServiceChoice> {
  const { options, language } = invocation;
  return readService(invocation, String(options['service'] ?? (await prompts.ask(TEXTS.service[language], 'none'))));
}

/** Shows what was set up. The key and the link of the account go to stdout with the rest, this once. */
function show({ directory, url, model, sandbox, key, account }: OnboardReport, { output, language }: Invocation): void {
  const safety = sandbox.kind === 'none' ? (sandbox.problem ?? '') : sandbox.kind;
  const words = sandbox.kind === 'none' ? TEXTS.unsandboxed[language] : TEXTS.sandboxed[language];
  const rows: [name: string, value: string][] = [
    [TEXTS.folder[language], directory],
    [TEXTS.addressLine[language], url],
    [TEXTS.modelLine[language], model ?? TEXTS.demo[language]],
    [TEXTS.sandboxLine[language], `${words} (${safety})`],
    ...(key === undefined ? [] : ([[TEXTS.keyLine[language], key.secret]] as [string, string][])),
    ...(account === undefined ? [] : ([[`${TEXTS.accountLine[language]} ${account.email}`, account.url]] as [string, string][])),
  ];
  for (const [name, value] of rows) output.line(`${name}: ${value}`);
}

/** Names the next step. Returns true when this process shall go on as the gateway. */
async function finish(
  invocation: Invocation,
  prompts: Prompts,
  { directory, url }: OnboardReport,
  installed: InstalledService | undefined,
): Promise<boolean> {
  const { output, language, env } = invocation;
  if (installed !== undefined && !output.isJson) reportService(installed, invocation);
  const isStarting =
    installed?.isRunning !== true && prompts.isAsking && !output.isJson && (await prompts.confirm(TEXTS.startNow[language]));
  if (output.isJson) return false;
  const isReady = isStarting || installed?.isRunning === true;
  output.line(isReady ? `${TEXTS.ready[language]} ${url}` : `${TEXTS.next[language]} neta start ${directory}`);
  if (isReady && prompts.isAsking) openPage(url, env, isStarting ? START_MS : 0);
  return isStarting;
}

/** Milliseconds until a gateway that starts answers. */
const START_MS = 3_000;

/** Opens the page in the browser of a desktop; does nothing without one. */
function openPage(url: string, env: NodeJS.ProcessEnv, delayMs: number): void {
  const program = process.platform === 'darwin' ? 'open' : env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined;
  if (program === undefined) return;
  const open = () =>
    spawn(program, [url], { stdio: 'ignore', detached: true })
      .once('error', () => {})
      .unref();
  setTimeout(open, delayMs).unref();
}

export const ONBOARD_COMMANDS = { onboard };
