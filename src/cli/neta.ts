/** The command line: reads the arguments, runs one command, and ends with its exit code. */
import { parseArgs } from 'node:util';
import { NetaClient } from '../../clients/typescript/src/client';
import { NetaError } from '../../clients/typescript/src/http';
import { ACP_COMMANDS } from './acp_commands';
import { type Command, EXIT, type Invocation, UsageError } from './command';
import { DATA_COMMANDS } from './data_commands';
import { reachDirectly } from './direct_addresses';
import { DOCTOR_COMMANDS } from './doctor_commands';
import { folderAddress } from './gateway_place';
import { HOOK_COMMANDS } from './hook_commands';
import { KEY_COMMANDS } from './key_commands';
import { LIST_COMMANDS } from './list_commands';
import { LOCAL_COMMANDS } from './local_commands';
import { createPatientFetch } from './long_requests';
import { MODEL_COMMANDS } from './model_commands';
import { ONBOARD_COMMANDS } from './onboard_commands';
import { Output, withoutControls } from './output';
import { PEOPLE_COMMANDS } from './people_commands';
import { REPLAY_COMMANDS } from './replay_commands';
import { RUN_COMMANDS } from './run_commands';
import { SERVICE_COMMANDS } from './service_commands';
import { SUITE_COMMANDS } from './suite_commands';
import { type Language, languageOf, TEXTS } from './texts';
import { UPDATE_COMMANDS } from './update_commands';

const COMMANDS: Readonly<Record<string, Command>> = {
  ...ONBOARD_COMMANDS,
  ...LOCAL_COMMANDS,
  ...SERVICE_COMMANDS,
  ...DOCTOR_COMMANDS,
  ...DATA_COMMANDS,
  ...UPDATE_COMMANDS,
  ...RUN_COMMANDS,
  ...ACP_COMMANDS,
  ...REPLAY_COMMANDS,
  ...SUITE_COMMANDS,
  ...LIST_COMMANDS,
  ...MODEL_COMMANDS,
  ...HOOK_COMMANDS,
  ...KEY_COMMANDS,
  ...PEOPLE_COMMANDS,
};

const COMMON_OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  lang: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A person waits: fewer repetitions than a service would make. */
const RETRIES = 2;

/** `argv`: the arguments behind the program. Resolves with the exit code; never rejects. */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  endWithReader();
  const [name = '', ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    const { values, positionals } = parseArgs({
      args: [...(command ? rest : argv)],
      options: { ...COMMON_OPTIONS, ...command?.options },
      allowPositionals: true,
    });
    const language = languageOf(values['lang'] as string | undefined, env);
    if (values['help'] || (!command && (name === '' || name === 'help'))) {
      process.stdout.write(command ? commandHelp(name, command, language) : help(language));
      return EXIT.done;
    }
    if (!command) throw new UsageError(`${TEXTS.unknownCommand[language]}: ${name}`);
    checkArguments(command, positionals, language);
    return await command.run(await toInvocation(values, positionals, env));
  } catch (thrown) {
    return report(thrown, name, command);
  }
}

/** A program such as head may have read enough: then the rest is for nobody. */
function endWithReader(): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.done);
  });
}

async function toInvocation(
  values: Record<string, string | boolean | undefined>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Invocation> {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const url = text(values['url']) ?? text(env['NETA_URL']) ?? (await folderAddress('.', env));
  const apiKey = text(values['key']) ?? text(env['NETA_API_KEY']);
  const language = languageOf(text(values['lang']), env);
  const hasColours = process.stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const clientAt = (at: string) => {
    reachDirectly(at, env);
    return new NetaClient({ url: at, locale: language, retries: RETRIES, apiKey });
  };
  const clientForPaidRequests = () => {
    reachDirectly(url, env);
    return new NetaClient({ url, locale: language, retries: 0, apiKey, fetch: createPatientFetch(env) });
  };
  const output = new Output(process.stdout, process.stderr, values['json'] === true, hasColours);
  return { args, options: values, client: clientAt(url), clientForPaidRequests, clientAt, url, output, language, env };
}

/** Compares the number of arguments with the usage, such as `<run> [decision]`. */
function checkArguments({ usage }: Command, args: readonly string[], language: Language): void {
  const needed = [...usage.matchAll(/<([^>]+)>/g)].filter(({ index }) => !usage.slice(0, index).includes('['));
  const missing = needed[args.length];
  if (missing) throw new UsageError(`${TEXTS.missing[language]}: <${missing[1]}>`);
  const most = usage.includes('...') ? Number.POSITIVE_INFINITY : usage.split(' ').filter(Boolean).length;
  if (args.length > most) throw new UsageError(`${TEXTS.unexpected[language]}: ${args[most]}`);
}

function report(thrown: unknown, name: string, command: Command | undefined): number {
  const message = withoutControls(thrown instanceof Error ? thrown.message : String(thrown));
  const isUsage = thrown instanceof UsageError || (thrown instanceof TypeError && 'code' in thrown);
  const param = thrown instanceof NetaError && thrown.fields.param !== undefined && !message.includes(thrown.fields.param);
  process.stderr.write(`neta: ${param ? `${thrown.fields.param}: ` : ''}${message}\n`);
  if (isUsage) {
    process.stderr.write(`neta ${command ? `${name} ` : ''}--help\n`);
    return EXIT.usage;
  }
  if (!(thrown instanceof NetaError)) return EXIT.failed;
  return thrown.code === 'unreachable' ? EXIT.unreachable : EXIT.failed;
}

function help(language: Language): string {
  const width = Math.max(...Object.keys(COMMANDS).map(name => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary[language]}`);
  return [
    `${TEXTS.usage[language]}: neta <command> [options]`,
    `${TEXTS.commands[language]}:\n${lines.join('\n')}`,
    `${TEXTS.options[language]}:\n${TEXTS.everywhere[language]}`,
    TEXTS.exitCodes[language],
    '',
  ].join('\n\n');
}

function commandHelp(name: string, { usage, summary, options = {} }: Command, language: Language): string {
  const lines = Object.entries(options).map(([option, { summary: text }]) => `  --${option.padEnd(12)} ${text[language]}`);
  const shown = lines.length > 0 ? `${lines.join('\n')}\n` : '';
  return `${TEXTS.usage[language]}: neta ${name} ${usage}\n\n${summary[language]}\n\n${TEXTS.options[language]}:\n${shown}${TEXTS.everywhere[language]}\n`;
}
