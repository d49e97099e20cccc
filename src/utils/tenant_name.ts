/** Names of tenants. A tenant has a folder of its name, so a name holds nothing that means something in a path. */

export const TENANT_NAME = /^[\w-]{1,64}$/;

/** True for 1 to 64 ASCII letters, digits, underscores and hyphens. */
export const isTenantName = (name: string): boolean => TENANT_NAME.test(name);
