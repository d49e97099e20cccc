/** Built-in tools whose calls change files of the workspace, for lists of changes. Pages and doors read this one list. */
export const FILE_CHANGING_TOOLS: readonly string[] = ['patch', 'write_file', 'file_write', 'file_delete'];
