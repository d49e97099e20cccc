/** One connection of an editor: its sessions, and the choices of agent and model. */
import { resolve } from 'node:path';
import type {
  AgentContext,
  ClientCapabilities,
  InitializeResponse,
  ListSessionsResponse,
  NewSessionResponse,
  SessionConfigOption,
} from '@agentclientprotocol/sdk';
import type { NetaClient } from '../../../clients/typescript/src/client';
import { NetaError } from '../../../clients/typescript/src/http';
import type { Bilingual } from '../../utils/bilingual';
import { acpSdk } from './acp_sdk';
import { AcpSession } from './acp_session';
import { Editor } from './editor';
import { readHistory } from './session_history';

export interface AcpConnectionOptions {
  client: NetaClient;
  /** Folder in which the gateway works; undefined: the folder that the editor opens. */
  workspace: string | undefined;
  language: keyof Bilingual;
  /** Writes a line to stderr. */
  log: (line: string) => void;
}

/** The choices that an editor offers in a session. */
type Choices = Omit<NewSessionResponse, 'sessionId'>;

const MODEL_OPTION = 'model';
const MODEL_NAME: Bilingual = { en: 'Model', 'zh-CN': '模型' };
const SESSIONS_PER_PAGE = 50;
const KEY_METHOD = {
  id: 'api-key',
  name: 'API key',
  description: 'Put an API key of the gateway, with the scope chat, into the environment variable NETA_API_KEY of this agent.',
};

export class AcpConnection {
  private readonly sessions = new Map<string, AcpSession>();
  private readonly editor: Editor;

  constructor(
    private readonly options: AcpConnectionOptions,
    context: AgentContext,
  ) {
    this.editor = new Editor(context, options.log);
  }

  /** Rejects when no gateway answers. A missing key is no error yet: the answer names the way to log in. */
  async initialize(capabilities: ClientCapabilities | undefined): Promise<InitializeResponse> {
    this.editor.capabilities = capabilities ?? {};
    const version = await this.readVersion();
    return {
      protocolVersion: acpSdk().PROTOCOL_VERSION,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
      agentInfo: { name: 'neta-gateway', title: 'neta', version },
      authMethods: [KEY_METHOD],
    };
  }

  private async readVersion(): Promise<string> {
    try {
      const { version } = await this.options.client.request('get', '/api/v1/info');
      return version;
    } catch (thrown) {
      if (thrown instanceof NetaError && thrown.code === 'unauthenticated') return 'unknown';
      throw thrown;
    }
  }

  /** Rejects when the key of the environment is missing or wrong. */
  async authenticate(): Promise<void> {
    await this.options.client.request('get', '/api/v1/info');
  }

  /** Creates a session, which remembers the folder of the editor. */
  async createSession(cwd: string, mcpServers: readonly unknown[]): Promise<NewSessionResponse> {
    if (mcpServers.length > 0)
      this.options.log('The MCP servers of the editor are left out: the gateway uses those of its config/mcp.yaml.');
    const { id, agent } = await this.options.client.request('post', '/api/v1/sessions', { body: { metadata: { cwd } } });
    this.addSession(id, cwd);
    return { sessionId: id, ...(await this.readChoices(agent, undefined)) };
  }

  /** Opens a session that exists, and goes on with its run. */
  async openSession(sessionId: string, cwd: string): Promise<Choices> {
    const choices = await this.readSession(sessionId);
    const session = this.addSession(sessionId, cwd);
    const left = await session.findLeftRun();
    if (left) session.goOn(left, 'new');
    return choices;
  }

  /** Opens a session, shows its messages, and goes on with its run. */
  async loadSession(sessionId: string, cwd: string): Promise<Choices> {
    const choices = await this.readSession(sessionId);
    const session = this.addSession(sessionId, cwd);
    // Find the run before the history: what the run does from here on is in its log, and only there.
    const left = await session.findLeftRun();
    const history = readHistory({ client: this.options.client, sessionId, root: this.rootOf(cwd), left });
    for await (const update of history) await this.editor.update(sessionId, update);
    if (left) session.goOn(left, 'all');
    return choices;
  }

  private async readSession(sessionId: string): Promise<Choices> {
    const { agent, model } = await this.options.client.request('get', '/api/v1/sessions/{id}', { path: { id: sessionId } });
    return this.readChoices(agent, model);
  }

  /** Lists sessions, newest first. `cwd`: only those of this folder, so a page may hold fewer. */
  async listSessions(cursor: string | undefined, cwd: string | undefined): Promise<ListSessionsResponse> {
    const { data, nextCursor } = await this.options.client.request('get', '/api/v1/sessions', {
      query: { limit: SESSIONS_PER_PAGE, cursor },
    });
    const sessions = data.map(({ id, title, updatedAt, metadata }) => ({
      sessionId: id,
      title,
      updatedAt,
      cwd: typeof metadata?.['cwd'] === 'string' ? metadata['cwd'] : this.rootOf(process.cwd()),
    }));
    return { sessions: sessions.filter(session => cwd === undefined || session.cwd === cwd), nextCursor };
  }

  /** Cancels what goes on in the session and forgets it here. */
  async closeSession(sessionId: string): Promise<void> {
    await this.sessions.get(sessionId)?.cancel();
    this.sessions.delete(sessionId);
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.closeSession(sessionId);
    await this.options.client.request('delete', '/api/v1/sessions/{id}', { path: { id: sessionId } });
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    const session = this.sessionOf(sessionId);
    const { data } = await this.options.client.request('get', '/api/v1/agents');
    if (!data.some(({ name }) => name === modeId)) throw acpSdk().RequestError.invalidParams({ modeId }, 'There is no such agent.');
    session.agent = modeId;
  }

  async setModel(sessionId: string, configId: string, value: unknown): Promise<{ configOptions: SessionConfigOption[] }> {
    const session = this.sessionOf(sessionId);
    const options = await this.readModels(typeof value === 'string' ? value : undefined);
    const isKnown = options.some(option => option.type === 'select' && option.options.some(row => 'value' in row && row.value === value));
    if (configId !== MODEL_OPTION || !isKnown) throw acpSdk().RequestError.invalidParams({ configId, value }, 'There is no such choice.');
    session.model = String(value);
    return { configOptions: options };
  }

  /** Throws an error of the protocol for a session that was not opened on this connection. */
  sessionOf(sessionId: string): AcpSession {
    const session = this.sessions.get(sessionId);
    if (!session) throw acpSdk().RequestError.sessionNotFound(sessionId);
    return session;
  }

  /** Returns the session of the editor; one that is open stays, because it may be in the middle of a run. */
  private addSession(sessionId: string, cwd: string): AcpSession {
    const { client, language } = this.options;
    const known = this.sessions.get(sessionId);
    const session = known ?? new AcpSession({ sessionId, root: this.rootOf(cwd), client, editor: this.editor, language });
    this.sessions.set(sessionId, session);
    return session;
  }

  private rootOf(cwd: string): string {
    return this.options.workspace === undefined ? cwd : resolve(this.options.workspace);
  }

  private async readChoices(agent: string, model: string | undefined): Promise<Choices> {
    const { data } = await this.options.client.request('get', '/api/v1/agents');
    const availableModes = data.map(({ name, label, description }) => ({ id: name, name: label, description }));
    return { modes: { currentModeId: agent, availableModes }, configOptions: await this.readModels(model) };
  }

  /** Returns the choice of the model. `chosen`: its id; undefined: the default model. */
  private async readModels(chosen: string | undefined): Promise<SessionConfigOption[]> {
    const { data } = await this.options.client.request('get', '/api/v1/models');
    const options = data.map(({ id, label }) => ({ value: id, name: label ?? id }));
    const currentValue = chosen ?? data.find(row => row.default)?.id ?? options[0]?.value;
    if (currentValue === undefined) return [];
    return [{ type: 'select', id: MODEL_OPTION, name: MODEL_NAME[this.options.language], category: 'model', currentValue, options }];
  }
}
