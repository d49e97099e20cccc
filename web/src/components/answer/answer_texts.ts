/** Texts of the tools beside code, tables, formulas and diagrams. */
import { pairTexts } from '../../i18n/pair_texts';

export const answerTexts = pairTexts({
  en: {
    copyCode: 'Copy code',
    copyTable: 'Copy table',
    copyCsv: 'Copy as CSV',
    copyFormula: 'Copy formula',
    showDiagram: 'Show diagram',
    showPreview: 'Show preview',
    preview: 'Preview',
    showSource: 'Show source',
    diagram: 'Diagram',
    diagramFailed: 'This text is no diagram that can be drawn.',
    showImage: 'Show the image. The gateway fetches it.',
    imageFailed: 'the image cannot be shown',
  },
  'zh-CN': {
    copyCode: '复制代码',
    copyTable: '复制表格',
    copyCsv: '复制为 CSV',
    copyFormula: '复制公式',
    showDiagram: '显示图表',
    showPreview: '显示预览',
    preview: '预览',
    showSource: '显示源码',
    diagram: '图表',
    diagramFailed: '无法将这段文字画成图表。',
    showImage: '显示图片（由网关获取）',
    imageFailed: '无法显示图片',
  },
});
