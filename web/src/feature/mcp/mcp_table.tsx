import { formatDuration } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { type Column, DataTable } from '../../ops/parts/data_table';
import { ScopeButton } from '../../ops/parts/scope_button';
import { StatusTag, type Tone } from '../../ops/parts/status_tag';
import { useAction } from '../../ops/parts/use_action';
import { beginLogin, endLogin, type McpServer, reconnect } from './mcp_api';
import { mcpTexts } from './mcp_texts';

const TONES: Record<McpServer['state'], Tone> = { connected: 'good', connecting: 'busy', failed: 'bad', disabled: 'calm' };

/** The MCP servers with their state. */
export function McpTable({ servers }: { servers: readonly McpServer[] }) {
  const locale = useLocale();
  const texts = mcpTexts[locale];
  const { isBusy, run } = useAction();
  const columns: Column<McpServer>[] = [
    { key: 'server', head: texts.server, isName: true, cell: ({ name }) => name },
    {
      key: 'state',
      head: texts.state,
      cell: ({ state, error, problems, nextTryMs }) => (
        <>
          <StatusTag tone={TONES[state]}>{texts.serverState[state]}</StatusTag>
          {nextTryMs !== undefined && <span class="cell-note">{texts.nextTry(formatDuration(nextTryMs, locale))}</span>}
          {[...new Set([error, ...problems].filter(text => text !== undefined && text !== ''))].map(problem => (
            <span key={problem} class="cell-note bad">
              {problem}
            </span>
          ))}
        </>
      ),
    },
    { key: 'transport', head: texts.transport, cell: ({ transport }) => transport },
    {
      key: 'tools',
      head: texts.tools,
      isNumber: true,
      to: ({ name }) => ({ screen: 'tools', query: { q: name } }),
      cell: ({ tools }) => tools.length,
    },
    {
      key: 'actions',
      head: '',
      cell: ({ name, enabled, hasLogin, needsLogin, state }) =>
        enabled && (
          <>
            {hasLogin && (needsLogin || state !== 'connected') && (
              <ScopeButton
                scope="ops:write"
                isBusy={isBusy}
                label={texts.loginOf(name)}
                testId="mcp-login"
                onClick={() => run(() => openLogin(name), texts.loginOpened(name))}
              >
                {texts.login}
              </ScopeButton>
            )}
            {hasLogin && state === 'connected' && (
              <ScopeButton
                scope="ops:write"
                isBusy={isBusy}
                label={texts.logoutOf(name)}
                testId="mcp-logout"
                onClick={() => run(() => endLogin(name), texts.loggedOut(name))}
              >
                {texts.logout}
              </ScopeButton>
            )}
            <ScopeButton
              scope="ops:write"
              isBusy={isBusy}
              label={texts.reconnectOf(name)}
              testId="reconnect"
              onClick={() => run(() => reconnect(name), texts.reconnected(name))}
            >
              {texts.reconnect}
            </ScopeButton>
          </>
        ),
    },
  ];
  return (
    <section aria-labelledby="mcp-heading">
      <h2 id="mcp-heading">{texts.servers}</h2>
      <DataTable
        label={texts.servers}
        columns={columns}
        rows={servers}
        keyOf={({ name }) => name}
        stateOf={({ state }) => state}
        empty={texts.noServers}
        testId="mcp-servers"
      />
    </section>
  );
}

/** Opens the page of the server, where a person lets the gateway in. */
async function openLogin(name: string): Promise<void> {
  const { url } = await beginLogin(name);
  window.open(url, '_blank', 'noopener');
}
