/** The views that open in the place of the chat. Each one loads when it is first opened. */
import type { ComponentType } from 'preact';
import type { ViewProps } from '../chat/view_props';
import type { Messages } from '../i18n/messages';

type ViewName = keyof Messages['viewTitles'];

export interface ViewEntry {
  /** Name in the address; the view's icon and texts have the same name. */
  name: ViewName;
  /** True when an item has a page of its own; otherwise the item opens in its row. */
  hasPages?: true;
  /** True when the link to the view stands in the top bar instead of below the list of chats. */
  isInTopBar?: true;
  load(): Promise<ComponentType<ViewProps>>;
}

/** In the order of the links. */
export const VIEWS: readonly ViewEntry[] = [
  { name: 'files', hasPages: true, load: async () => (await import('../feature/files/files_view')).FilesView },
  { name: 'memory', load: async () => (await import('../feature/memory/memory_view')).MemoryView },
  { name: 'skills', hasPages: true, load: async () => (await import('../feature/skills/skills_view')).SkillsView },
  { name: 'prompts', load: async () => (await import('../feature/prompts/prompts_view')).PromptsView },
  { name: 'jobs', load: async () => (await import('../feature/jobs/job_view')).JobsView },
  { name: 'tools', load: async () => (await import('./tools/tools_view')).ToolsView },
  { name: 'settings', isInTopBar: true, load: async () => (await import('./settings/settings_view')).SettingsView },
];

export function findView(name: string | undefined): ViewEntry | undefined {
  return VIEWS.find(view => view.name === name);
}
