/** The command that runs the gateway of a directory as a service: service install, status, remove. */
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { type Command, EXIT, type Invocation, UsageError } from './command';
import { SERVICE_TEXTS as TEXTS } from './onboard_texts';
import { type InstalledService, installService, readService, removeService } from './service';
import type { ServiceScope } from './systemd_unit';

const service: Command = {
  usage: '<install|status|remove> [directory]',
  summary: {
    en: 'Run the gateway of a directory as a service of systemd: install it, show its state, or remove it',
    'zh-CN': '把目录中的网关作为 systemd 服务运行：安装、查看状态或移除',
  },
  options: {
    user: {
      type: 'boolean',
      summary: { en: 'a service of this user (the default, unless you are root)', 'zh-CN': '当前用户的服务（默认，root 除外）' },
    },
    system: { type: 'boolean', summary: { en: 'a service of the machine; needs root', 'zh-CN': '整台机器的服务；需要 root' } },
  },
  async run(invocation) {
    const [action = '', directory = '.'] = invocation.args;
    const scope = scopeOf(invocation);
    if (action === 'install') return install(invocation, resolve(directory), scope);
    if (action === 'status') return show(invocation, scope);
    if (action === 'remove') return remove(invocation, scope);
    throw new UsageError('neta service install | status | remove');
  },
};

function scopeOf({ options }: Invocation): ServiceScope {
  if (options['user'] && options['system']) throw new UsageError('--user | --system');
  if (options['user']) return 'user';
  return options['system'] || process.geteuid?.() === 0 ? 'system' : 'user';
}

async function install(invocation: Invocation, directory: string, scope: ServiceScope): Promise<number> {
  const installed = await installService(directory, scope, invocation);
  if (invocation.output.isJson) invocation.output.json(installed);
  else reportService(installed, invocation);
  return installed.isRunning ? EXIT.done : EXIT.failed;
}

/** Tells a person what was installed, and what is left to do. */
export function reportService({ scope, file, text, isRunning }: InstalledService, { output, language }: Invocation): void {
  if (text.includes('/_npx/')) output.note(TEXTS.temporary[language], 'yellow');
  if (/^User=(root|0)$/m.test(text)) output.note(TEXTS.asRoot[language], 'yellow');
  if (!isRunning) {
    output.note(`${TEXTS.written[language]} ${file}\n${TEXTS.noSystemd[language]}`, 'yellow');
    output.line(text);
    return;
  }
  output.line(`${TEXTS.installed[language]} ${file}`);
  if (scope === 'user') output.note(`${TEXTS.linger[language]} sudo loginctl enable-linger ${userInfo().username}`, 'dim');
}

async function show({ output, language, env }: Invocation, scope: ServiceScope): Promise<number> {
  const found = await readService(scope, env);
  if (output.isJson) output.json(found ?? { state: 'none' });
  else if (found === undefined) output.line(TEXTS.none[language]);
  else output.line(`${TEXTS.active[language]}: ${found.state}\n${found.file}\n${found.directory ?? ''}`);
  return found?.state === 'active' ? EXIT.done : EXIT.failed;
}

async function remove({ output, language, env }: Invocation, scope: ServiceScope): Promise<number> {
  const isRemoved = await removeService(scope, env);
  if (output.isJson) output.json({ removed: isRemoved });
  else output.line(isRemoved ? TEXTS.removed[language] : TEXTS.none[language]);
  return EXIT.done;
}

export const SERVICE_COMMANDS = { service };
