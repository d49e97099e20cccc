/** The screens below /ops. Each one loads when it is first opened. */
import type { ComponentType } from 'preact';
import type { OpsTexts } from './shared/ops_texts';

export type ScreenName = keyof OpsTexts['screens'];

interface ScreenEntry {
  /** Name of the texts and of the icon. */
  name: ScreenName;
  /** Part of the address behind /ops/; '' for the first screen. */
  path: string;
  load(): Promise<ComponentType>;
}

/** In the order of the links. */
export const SCREENS: readonly ScreenEntry[] = [
  { name: 'overview', path: '', load: async () => (await import('./overview/overview_screen')).OverviewScreen },
  { name: 'runs', path: 'runs', load: async () => (await import('./runs/runs_screen')).RunsScreen },
  { name: 'sessions', path: 'sessions', load: async () => (await import('./sessions/sessions_screen')).SessionsScreen },
  { name: 'people', path: 'people', load: async () => (await import('./people/people_screen')).PeopleScreen },
  { name: 'suites', path: 'suites', load: async () => (await import('../feature/replay/suites_screen')).SuitesScreen },
  { name: 'tools', path: 'tools', load: async () => (await import('./tools/tools_screen')).ToolsScreen },
  { name: 'models', path: 'models', load: async () => (await import('./models/models_screen')).ModelsScreen },
  { name: 'limits', path: 'limits', load: async () => (await import('./limits/limits_screen')).LimitsScreen },
  { name: 'jobs', path: 'jobs', load: async () => (await import('../feature/jobs/jobs_screen')).JobsScreen },
  { name: 'connections', path: 'connections', load: async () => (await import('./connections/connections_screen')).ConnectionsScreen },
  { name: 'logs', path: 'logs', load: async () => (await import('./log/logs_screen')).LogsScreen },
  { name: 'audit', path: 'audit', load: async () => (await import('./audit/audit_screen')).AuditScreen },
  { name: 'accounts', path: 'accounts', load: async () => (await import('./accounts/accounts_screen')).AccountsScreen },
  { name: 'keys', path: 'keys', load: async () => (await import('./keys/keys_screen')).KeysScreen },
  { name: 'config', path: 'config', load: async () => (await import('./config/config_screen')).ConfigScreen },
];

export function findScreen(path: string): ScreenEntry | undefined {
  return SCREENS.find(screen => screen.path === path);
}
