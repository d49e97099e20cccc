/** Queries about the names and groups that a directory keeps over SCIM. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { pick, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy, upsertInto } from '../../../adapter/sql/base/table_statements';
import type { ScimGroupRecord, ScimMemberRecord, ScimNameRecord, ScimPlace } from './scim_records';

const NAMES = defineTable<ScimNameRecord>()('scim_names', {
  tenant_id: 'text',
  person_id: 'text',
  user_name: 'text',
  external_id: 'text?',
});

const GROUPS = defineTable<ScimGroupRecord>()('scim_groups', {
  tenant_id: 'text',
  id: 'text',
  name: 'text',
  external_id: 'text?',
  created_at: 'number',
  updated_at: 'number',
});

const MEMBERS = defineTable<ScimMemberRecord>()('scim_members', { tenant_id: 'text', group_id: 'text', person_id: 'text' });

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    scim_names: RowOf<typeof NAMES>;
    scim_groups: RowOf<typeof GROUPS>;
    scim_members: RowOf<typeof MEMBERS>;
  }
}

export class ScimTable extends sqlTable(statements) {
  listNames(tenantId: string) {
    return this.records(this.statements.listNames({ tenant_id: tenantId }), NAMES.toRecord);
  }

  listGroups(tenantId: string) {
    return this.records(this.statements.listGroups({ tenant_id: tenantId }), GROUPS.toRecord);
  }

  listMembers(tenantId: string) {
    return this.records(this.statements.listMembers({ tenant_id: tenantId }), MEMBERS.toRecord);
  }

  listAllMembers(): Promise<ScimPlace[]> {
    return this.runner.rows(this.statements.listAllMembers({}));
  }

  async setName(name: ScimNameRecord): Promise<void> {
    await this.statements.setName(this.runner, [name]);
  }

  async forget(tenantId: string, personId: string): Promise<void> {
    await this.execute(this.statements.deleteName({ tenant_id: tenantId, person_id: personId }));
    await this.execute(this.statements.leaveGroups({ tenant_id: tenantId, person_id: personId }));
  }

  async insertGroup(group: ScimGroupRecord): Promise<void> {
    await this.statements.insertGroup(this.runner, [group]);
  }

  updateGroup(group: ScimGroupRecord) {
    return this.hasChanged(this.statements.updateGroup(GROUPS.toRow(group)));
  }

  async setMembers(tenantId: string, groupId: string, people: readonly string[]): Promise<void> {
    await this.execute(this.statements.deleteMembers({ tenant_id: tenantId, group_id: groupId }));
    await this.statements.insertMembers(
      this.runner,
      people.map(personId => ({ tenantId, groupId, personId })),
    );
  }

  async deleteGroup(tenantId: string, id: string) {
    await this.execute(this.statements.deleteMembers({ tenant_id: tenantId, group_id: id }));
    return this.hasChanged(this.statements.deleteGroup({ tenant_id: tenantId, id }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    listNames: selectBy(db, NAMES, 'tenant_id'),
    listGroups: template((key: Pick<RowOf<typeof GROUPS>, 'tenant_id'>) =>
      db.selectFrom('scim_groups').select(GROUPS.columns).where('tenant_id', '=', key.tenant_id).orderBy('created_at').orderBy('id'),
    ),
    listMembers: selectBy(db, MEMBERS, 'tenant_id'),
    listAllMembers: template(() =>
      db
        .selectFrom('scim_members as member')
        .innerJoin('scim_groups as group', join =>
          join.onRef('group.tenant_id', '=', 'member.tenant_id').onRef('group.id', '=', 'member.group_id'),
        )
        .select(['member.tenant_id as tenantId', 'member.person_id as personId', 'group.name as name']),
    ),
    setName: upsertInto(db, NAMES, ['tenant_id', 'person_id']),
    deleteName: deleteBy(db, NAMES, 'tenant_id', 'person_id'),
    leaveGroups: deleteBy(db, MEMBERS, 'tenant_id', 'person_id'),
    insertGroup: insertInto(db, GROUPS),
    updateGroup: template((row: RowOf<typeof GROUPS>) =>
      db
        .updateTable('scim_groups')
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id)
        .set(pick(row, ['name', 'external_id', 'updated_at'])),
    ),
    deleteMembers: deleteBy(db, MEMBERS, 'tenant_id', 'group_id'),
    insertMembers: insertInto(db, MEMBERS),
    deleteGroup: deleteBy(db, GROUPS, 'tenant_id', 'id'),
  };
}
