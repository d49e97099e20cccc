import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTenantWorkspaces } from '../../../../src/adapter/local/workspace/tenant_workspaces';
import { openOwnWorkspace } from '../../../../src/adapter/local/workspace/workspace';
import type { TenantWorkspace, Workspaces } from '../../../../src/port/workspaces';

/** Only the files matter here. */
const place = (root: string) => ({ workspace: openOwnWorkspace(root) }) as TenantWorkspace;

describe('workspaces of tenants', () => {
  let home: string;
  let workspaces: Workspaces;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'neta-tenants-'));
    workspaces = createTenantWorkspaces({
      own: place(join(home, 'workspace')),
      openAt: place,
      dataDir: join(home, 'data'),
      close: async () => {},
    });
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const rootOf = (tenantId: string) => workspaces.workspaceOf(tenantId).workspace.root;

  it('leaves the default tenant where it always was, and makes a folder of the data directory for each other one', async () => {
    expect(rootOf('default')).toBe(join(home, 'workspace'));
    expect(rootOf('acme')).toBe(join(home, 'data/tenants/acme/workspace'));
    expect((await stat(rootOf('acme'))).mode & 0o777).toBe(0o700);
    expect(workspaces.workspaceOf('acme')).toBe(workspaces.workspaceOf('acme'));
  });

  it.each(['..', '.', '', 'a/b', '../default', '/etc', 'a.b', 'a\0b', 'a b', 'a'.repeat(65), 'ä'])(
    'refuses the name %j, which could lead elsewhere',
    name => {
      expect(() => workspaces.workspaceOf(name)).toThrow(expect.objectContaining({ code: 'outside' }));
    },
  );
});
