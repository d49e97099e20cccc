/** The settings of the gateway, as operators see them. */

/** One setting of the gateway. */
export interface ConfigSetting {
  name: string;
  section: string;
  value?: string;
  /** file: models.yaml replaces it. */
  source: 'default' | 'environment' | 'none' | 'file';
  isSecret: boolean;
}
