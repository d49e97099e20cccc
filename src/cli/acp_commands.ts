/** The command for editors: acp. */
import { Readable, Writable } from 'node:stream';
import { createAcpAgent } from './acp/acp_agent';
import { acpSdk } from './acp/acp_sdk';
import { type Command, EXIT } from './command';

const acp: Command = {
  usage: '',
  summary: {
    en: 'Serve an editor that speaks the Agent Client Protocol, over stdin and stdout',
    'zh-CN': '通过标准输入输出为使用 Agent Client Protocol 的编辑器服务',
  },
  options: {
    workspace: {
      type: 'string',
      summary: {
        en: 'folder in which the gateway works (default: the folder that the editor opens)',
        'zh-CN': '网关工作的目录（默认是编辑器打开的目录）',
      },
    },
  },
  async run({ client, options, language }) {
    const log = (line: string) => void process.stderr.write(`neta acp: ${line}\n`);
    // Stdout carries the protocol alone.
    console.log = log;
    console.info = log;
    const workspace = options['workspace'];
    const agent = createAcpAgent({ client, language, log, workspace: typeof workspace === 'string' ? workspace : undefined });
    const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
    await agent.connect(acpSdk().ndJsonStream(Writable.toWeb(process.stdout), input)).closed;
    return EXIT.done;
  },
};

export const ACP_COMMANDS = { acp };
