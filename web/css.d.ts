/** The build writes styles beside the scripts; an import only says which a page needs. */
declare module '*.css';
