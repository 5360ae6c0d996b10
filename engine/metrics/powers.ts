/*
 * Powers as products: the last bit of `**` differs from one version of V8 to the next, and so between
 * Node and a browser.
 */

export const square = (x: number): number => x * x;
export const cube = (x: number): number => x * x * x;
export const fourthPower = (x: number): number => square(square(x));
