// All nodes in two dimensions.

export async function openMap() {}

export function refreshMap() {}
