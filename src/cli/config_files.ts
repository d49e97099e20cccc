/** The files of the configuration that a new gateway gets. */

/**
 * Paths below config/. A list, because the configuration of a checkout that is in use holds keys, and the build of the image has no git. `npm run pack`
 * packs the same files.
 */
export const CONFIG_FILES = [
  'agents/default.yaml',
  'agents/researcher.yaml',
  'approvals.yaml',
  'limits.yaml.example',
  'login.yaml.example',
  'mcp.yaml',
  'models.yaml.example',
  'roles.yaml.example',
  'skills/data-report/SKILL.md',
  'skills/data-report/references/report.md',
  'tool-settings/file_operator.yaml.example',
  'tool-settings/web_search.yaml.example',
  'tools/file_operator.yaml',
  'tools/file_operator/archive.mjs',
  'tools/file_operator/document.mjs',
  'tools/file_operator/document_worker.mjs',
  'tools/file_operator/list_directory.mjs',
  'tools/file_operator/main.mjs',
  'tools/file_operator/places.mjs',
  'tools/file_operator/protected_names.mjs',
  'tools/file_operator/read_file.mjs',
  'tools/file_operator/refusal.mjs',
  'tools/file_operator/search_files.mjs',
  'tools/file_operator/write_file.mjs',
  'tools/web_search.yaml',
] as const;
