export {
  type CatalogueCopy,
  openCatalogueCopy,
  type SeriesEntry,
  type SeriesFolder,
  seriesFolders,
} from './catalogue-copy.js';
export { type ObjectStore, openObjects } from './s3.js';
