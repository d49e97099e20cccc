/** Names of tenants. A tenant has a folder of its name, so a name holds nothing that means something in a path. */

const TENANT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** True for 1 to 64 lower-case letters, digits and hyphens that do not begin with a hyphen. */
export const isTenantName = (name: string): boolean => TENANT_NAME.test(name);
