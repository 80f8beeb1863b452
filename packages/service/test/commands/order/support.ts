export const id = "0123456789abcdef01234567";

export const price = { currency: "EUR", gross: 12.5, net: 10, tax: { name: "VAT", percent: 25 } };

export const line = { name: "Chair", sku: "chair", quantity: 2, price };

export const order = (more: object = {}) => ({ customer: { identifier: "ada" }, cart: [line], ...more });

export const writes = ["order/register", "order/upsert"] as const;
