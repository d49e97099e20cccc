/** The default rules, for calls that match no rule of the operator. */
import type { TaintSource } from '../../port/run_event';
import type { AgentTool, ToolSpec } from '../../tools/common';
import { isKeyFile } from '../../tools/files/key_files';
import { clipText } from '../../utils/clip_text';
import { destructionIn, type LocalText } from './destructive_commands';
import { addresseeOf, hostsIn } from './taint';

/** Decisions of the default rules that an operator can change in approvals.yaml. */
export interface DefaultDecisions {
  /** Decision when a file tool reads a file whose name is usual for keys or passwords. */
  keyFiles: DefaultDecision;
  /** Decision when a request could send private content to a host that was not named, after untrusted text was read. */
  taintedRequests: DefaultDecision;
  /** Decision when a text from a tool result would be kept for later conversations, and when a tool result may have asked to delete one. */
  taintedMemories: DefaultDecision;
}

export type DefaultDecision = 'ask' | 'allow' | 'deny';

export interface DefaultSettings {
  /** Commands run in a sandbox. */
  isIsolated: boolean;
  /** Ask about every command that runs without a sandbox, not only about those that look destructive. */
  asksAboutAllCommands: boolean;
  /** True when several tenants have files here, all of which a program without a sandbox can read. */
  isShared: () => boolean;
  defaults: DefaultDecisions;
}

export interface DefaultVerdict {
  decision: 'ask' | 'deny';
  reason: LocalText;
  /** The question protects other tenants, so a rule of one tenant cannot allow the call. */
  protectsTenants?: boolean;
}

interface Call {
  tool: Pick<ToolSpec, 'effect' | 'reads' | 'memory' | 'approval' | 'origin'> & Pick<AgentTool, 'isHarmless' | 'asksPerson'>;
  args: unknown;
  taint?: readonly TaintSource[] | undefined;
  removed?: string | undefined;
}

const MAX_REMOVED_UNITS = 300;

const SHARED_REASON: LocalText = {
  en: 'This program runs without a sandbox, and could read files of other tenants.',
  'zh-CN': '该程序在没有沙箱的情况下运行，可能读取其他租户的文件。',
};

/** Returns undefined when the call may run. */
export function defaultVerdict(call: Call, settings: DefaultSettings): DefaultVerdict | undefined {
  const command = settings.isIsolated ? undefined : commandOf(call);
  const isExposed = !settings.isIsolated && settings.isShared();
  if (isExposed && call.tool.origin === 'manifest') return { decision: 'ask', reason: SHARED_REASON, protectsTenants: true };
  if (command !== undefined) return commandVerdict(command, settings.asksAboutAllCommands || isExposed);
  const { keyFiles, taintedRequests, taintedMemories } = settings.defaults;
  const path = keyFileOf(call);
  if (path !== undefined && keyFiles !== 'allow') return { decision: keyFiles, reason: keyFileReason(path) };
  if (call.taint && (call.tool.memory === 'keeps' || call.tool.memory === 'removes'))
    return taintedMemories === 'allow' ? undefined : { decision: taintedMemories, reason: memoryReason(call, call.taint) };
  if (call.taint && taintedRequests !== 'allow') return { decision: taintedRequests, reason: taintReason(call) };
  const { approval, isHarmless } = call.tool;
  return approval && !isHarmless?.(call.args) ? { decision: 'ask', reason: approval.reason } : undefined;
}

/** Returns the command line that a call would run. A tool with the effect `read` runs no command line, whatever the names of its arguments are. */
export function commandOf({ tool, args }: { tool: Pick<ToolSpec, 'effect'>; args: unknown }): string | undefined {
  return tool.effect === 'read' ? undefined : textArgument(args, 'command');
}

/** Returns the path of the key file that a call would read. */
function keyFileOf({ tool, args }: Call): string | undefined {
  const path = tool.reads === 'private' ? textArgument(args, 'path') : undefined;
  return path !== undefined && isKeyFile(path) ? path : undefined;
}

function textArgument(args: unknown, name: string): string | undefined {
  const value = typeof args === 'object' && args !== null ? (args as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function commandVerdict(command: string, asksAlways: boolean): DefaultVerdict | undefined {
  const harm = destructionIn(command);
  if (!harm && !asksAlways) return undefined;
  const what = {
    en: harm ? `The command ${harm.en}, and commands run without a sandbox here.` : 'Commands run without a sandbox here.',
    'zh-CN': harm ? `该命令会${harm['zh-CN']}，而此处的命令不在沙箱中运行。` : '此处的命令不在沙箱中运行。',
  };
  if (!asksAlways) return { decision: 'ask', reason: what };
  return { decision: 'ask', reason: { en: `${what.en} ${GET_SANDBOX.en}`, 'zh-CN': `${what['zh-CN']}${GET_SANDBOX['zh-CN']}` } };
}

const GET_SANDBOX: LocalText = {
  en: 'Each one needs approval until the machine has a sandbox: install bubblewrap or allow user namespaces for util-linux, or set NETA_SANDBOX=none to run commands as this user.',
  'zh-CN':
    '在本机具备沙箱之前，每条命令都需要人工审批：请安装 bubblewrap 或为 util-linux 开放用户命名空间，或设置 NETA_SANDBOX=none，让命令以当前用户身份运行。',
};

function taintReason({ tool, args }: Call): LocalText {
  if (tool.asksPerson) return questionReason(addresseeOf(args) ?? '');
  const hosts = hostsIn(args).join(', ');
  return {
    en: `Untrusted text and private content are both in this conversation. This request to ${hosts || 'an outside service'} could carry private content out${hosts ? ', and the conversation does not name the host' : ''}.`,
    'zh-CN': `这次对话中既有不可信的内容，也有私有内容。这个发往${hosts ? ` ${hosts} ` : '外部服务'}的请求可能带出私有内容${hosts ? '，而对话中没有指定该主机' : ''}。`,
  };
}

const questionReason = (to: string): LocalText => ({
  en: `Untrusted text is in this conversation. This question to ${to} could carry text of the chat to somebody who does not see it.`,
  'zh-CN': `这次对话中有不可信的内容。这个发给 ${to} 的问题可能把对话的内容带给看不到它的人。`,
});

const namesOf = (taint: readonly TaintSource[]): string => taint.map(({ tool, source }) => `${tool}${source && ` (${source})`}`).join(', ');

function memoryReason({ tool, removed }: Call, taint: readonly TaintSource[]): LocalText {
  if (removed === undefined && tool.memory === 'keeps') return keptReason(taint);
  const isReplaced = tool.memory === 'keeps';
  const [named, text] = [namesOf(taint), JSON.stringify(clipText(removed ?? '', MAX_REMOVED_UNITS))];
  return {
    en: `This ${isReplaced ? 'replaces' : 'deletes'} the memory ${text} for good. The person did not mention it in this turn; a tool result may have asked for it: ${named}.`,
    'zh-CN': `这会永久${isReplaced ? '替换' : '删除'}记忆 ${text}。用户在本轮没有提到它，可能是工具结果要求的：${named}。`,
  };
}

function keptReason(taint: readonly TaintSource[]): LocalText {
  const named = namesOf(taint);
  return {
    en: `This text came from a tool result, not from a person: ${named}. Once saved, every later conversation reads it.`,
    'zh-CN': `这段文字来自工具结果，而不是来自用户：${named}。一旦保存，以后的每次对话都会读到它。`,
  };
}

const keyFileReason = (path: string): LocalText => ({
  en: `${path} looks like a file with keys or passwords, and what the agent reads goes to the model.`,
  'zh-CN': `${path} 看起来是存放密钥或密码的文件，而智能体读到的内容会发送给模型。`,
});
