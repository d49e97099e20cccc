/** Texts of saved views. */
import { pairTexts } from '../../i18n/pair_texts';

export const savedTexts = pairTexts({
  en: {
    views: 'Saved views',
    none: 'Saved views',
    save: 'Save this view',
    name: 'Name of the view',
    keep: 'Save',
    cancel: 'Do not save',
    columns: 'Columns',
    remove: (name: string) => `Delete the view ${name}`,
  },
  'zh-CN': {
    views: '已保存的视图',
    none: '已保存的视图',
    save: '保存此视图',
    name: '视图名称',
    keep: '保存',
    cancel: '不保存',
    columns: '列',
    remove: name => `删除视图 ${name}`,
  },
});
