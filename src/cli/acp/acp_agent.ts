/** The gateway as an agent of the Agent Client Protocol: which request of an editor does what. */
import type { AgentApp, AgentContext } from '@agentclientprotocol/sdk';
import { AcpConnection, type AcpConnectionOptions } from './acp_connection';
import { explain, toRequestError } from './acp_errors';
import { acpSdk } from './acp_sdk';

/** Builds the agent for one connection. Connect it to the stream of the editor. */
export function createAcpAgent(options: AcpConnectionOptions): AgentApp {
  const { agent, methods } = acpSdk();
  const { session } = methods.agent;
  const handle = createHandler(options);
  return agent({ name: 'neta' })
    .onRequest(
      methods.agent.initialize,
      handle((to, { params }) => to.initialize(params.clientCapabilities)),
    )
    .onRequest(
      methods.agent.authenticate,
      handle(to => to.authenticate()),
    )
    .onRequest(
      session.new,
      handle((to, { params }) => to.createSession(params.cwd, params.mcpServers)),
    )
    .onRequest(
      session.load,
      handle((to, { params }) => to.loadSession(params.sessionId, params.cwd)),
    )
    .onRequest(
      session.resume,
      handle((to, { params }) => to.openSession(params.sessionId, params.cwd)),
    )
    .onRequest(
      session.list,
      handle((to, { params }) => to.listSessions(params.cursor ?? undefined, params.cwd ?? undefined)),
    )
    .onRequest(
      session.close,
      handle((to, { params }) => to.closeSession(params.sessionId)),
    )
    .onRequest(
      session.delete,
      handle((to, { params }) => to.deleteSession(params.sessionId)),
    )
    .onRequest(
      session.setMode,
      handle((to, { params }) => to.setMode(params.sessionId, params.modeId)),
    )
    .onRequest(
      session.setConfigOption,
      handle((to, { params }) => to.setModel(params.sessionId, params.configId, params.value)),
    )
    .onRequest(
      session.prompt,
      handle((to, { params }) => to.sessionOf(params.sessionId).prompt(params.prompt)),
    )
    .onNotification(
      session.cancel,
      handle((to, { params }) => to.sessionOf(params.sessionId).cancel()),
    );
}

/** Returns a function that makes the handler of a request; a failure becomes an error of the protocol and a line of the log. */
function createHandler(options: AcpConnectionOptions) {
  let connection: AcpConnection | undefined;
  return <Request extends { client: AgentContext }, Result>(work: (to: AcpConnection, request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      connection ??= new AcpConnection(options, request.client);
      try {
        return await work(connection, request);
      } catch (thrown) {
        options.log(explain(thrown));
        throw toRequestError(thrown);
      }
    };
}
