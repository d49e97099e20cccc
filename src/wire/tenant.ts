/** The one tenant that both doors serve. Rows of the store carry it, so that more tenants need no migration. */
export const TENANT_ID = 'default';
