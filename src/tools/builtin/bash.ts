import { posix } from 'node:path';
import { Type } from '@sinclair/typebox';
import { defineTool, errorResult, inLocale } from '../common';
import {
  COMMAND_LIMITS,
  COMMAND_PARAMETERS,
  COMMAND_PARAMETERS_ZH_CN,
  COMMAND_TOOL,
  commandRefusal,
  runShellCommand,
} from '../shell_command';
import { workspaceRefusal } from '../workspace_refusal';

const BashParameters = Type.Object(
  {
    ...COMMAND_PARAMETERS,
    cwd: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Directory to run in. Default: the workspace itself' })),
  },
  { additionalProperties: false },
);

export const bashTool = defineTool({
  name: 'bash',
  toolset: 'base',
  label: 'Run command',
  description:
    'Runs a command in bash inside the workspace and returns its exit code and output (stdout and stderr together). ' +
    'Use it for builds, tests, searches (grep, find), git and anything no other tool does; to read or change files prefer the tools that are made for it. ' +
    `Commands get no terminal and no input, so nothing interactive works. Calls are independent: variables, directory changes and background processes do not last. ${COMMAND_LIMITS.en}`,
  whenToUse: [
    {
      en: 'A command, program or test has to run, something has to be found in files or calculated → bash.',
      'zh-CN': '要运行命令、程序或测试，要在文件里找东西，或要计算 → bash。',
      lacks: ['search', 'file_list', 'calculator'],
    },
    {
      en: 'A command, program or test has to run → bash.',
      'zh-CN': '要运行命令、程序或测试 → bash。',
      needs: ['search|file_list|calculator'],
    },
  ],
  beforeUse: [
    {
      en: 'Commands start in the workspace directory and answer no prompts: use relative paths and options that do not wait for input.',
      'zh-CN': '命令从工作区目录开始运行，也没有人回应交互提示：使用相对路径和不等待输入的选项。',
    },
  ],
  promptOrder: 50,
  ...COMMAND_TOOL,
  translations: {
    'zh-CN': {
      label: '运行命令',
      description:
        '在工作区内用 bash 运行命令，返回退出码和输出（stdout 与 stderr 合并）。' +
        '用于构建、测试、搜索（grep、find）、git 以及其他工具做不到的事；读取或修改文件优先使用专门的工具。' +
        `没有终端也没有输入，不能运行交互式程序。每次调用相互独立：变量、目录切换和后台进程都不会保留。${COMMAND_LIMITS['zh-CN']}`,
      parameters: {
        ...COMMAND_PARAMETERS_ZH_CN,
        cwd: '运行命令的目录。默认为工作区本身',
      },
    },
  },
  parameters: BashParameters,
  async execute(args, ctx) {
    const { workspace } = ctx;
    const refusal = commandRefusal(args.command, ctx);
    if (refusal !== undefined) return errorResult(refusal);
    const cwd = args.cwd ?? '.';
    try {
      const { kind } = await workspace.stat(cwd);
      if (kind !== 'directory') return errorResult(inLocale(ctx, `cwd is not a directory: ${cwd}`, `cwd 不是目录：${cwd}`));
    } catch (thrown) {
      return workspaceRefusal(thrown, cwd, ctx);
    }
    const directory = posix.join(workspace.root, workspace.relative(cwd));
    return (await runShellCommand({ command: args.command, timeoutMs: args.timeout_ms, cwd: directory }, ctx)).result;
  },
});
