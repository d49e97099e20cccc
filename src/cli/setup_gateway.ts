/** Starts the gateway of a directory for its first settings: on a free port of this machine, with a key that only this process knows. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { ROOT } from './directory';
import { readEnvFile } from './env_file';

export interface SetupGateway {
  url: string;
  /** Has all scopes, until `stop`. */
  key: string;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

/** Every scope of a key. */
export const ALL_SCOPES = ['chat', 'tools', 'approve', 'ops:read', 'ops:write', 'admin'] as const;
const NAME = 'onboard';
/** The model of the environment. It becomes one of models.yaml, so the gateway must not know it already. */
const MODEL_VARIABLES = /^(OPENAI_BASE_URL|NETA_MODEL|.+_API_KEY)$/;
/** Settings that the gateway of the setup does not take from the environment: its keys, address and log are its own. */
const LEFT_OUT = ['NETA_API_KEYS', 'NETA_API_KEYS_FILE', 'HOST', 'NETA_BASE_PATH', 'NETA_LOG', 'NETA_TRUST_PROXY'];

/** Creates a secret as the gateway makes them. */
export const createKeySecret = (): string => `neta_${randomBytes(32).toString('base64url')}`;

/** Resolves when the gateway is ready. Rejects with the sentence of a failed start. */
export async function startSetupGateway(directory: string, env: NodeJS.ProcessEnv): Promise<SetupGateway> {
  const key = createKeySecret();
  const outside = Object.fromEntries(Object.entries(env).filter(([name]) => !MODEL_VARIABLES.test(name)));
  const values = Object.entries({ ...outside, ...(await readEnvFile(directory)) }).filter(([name]) => !LEFT_OUT.includes(name));
  const child = spawn(process.execPath, ['bootstrap.js'], {
    cwd: ROOT,
    env: { ...Object.fromEntries(values), PORT: '0', NETA_LOG: 'text', NETA_API_KEYS: `${NAME}:${key}:default:${ALL_SCOPES.join('+')}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { url: await readAddress(child), key, stop };
}

/** Resolves with the address in the line that says that the gateway is ready. */
function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (piece: Buffer) => {
      text += piece.toString();
      const ready = /is ready on (http:\/\/\S+)/.exec(text)?.[1];
      if (ready !== undefined) resolve(ready);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', () => reject(new Error(text.trim().split('\n').at(-1) ?? '')));
  });
}
