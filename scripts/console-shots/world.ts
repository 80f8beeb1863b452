type Operation = { intent: string } & Record<string, unknown>;

const codes =
  "en ar ja he de fr no es it pt nl sv da fi pl cs sk hu ro bg el tr uk ru fa ur hi bn ta th vi id ms ko zh ka hy et lv lt".split(
    " ",
  );

/** A tea in a language; of each five, the last two have no name in English. */
const teas: readonly [language: string, name: string][] = [
  ["en", "Green tea"],
  ["en", "Smoked black tea from the high gardens, picked by hand in the first week of the season"],
  ["en", "Mint"],
  ["ja", "玉露"],
  ["ar", "شاي أخضر بالنعناع من جبال الأطلس يُقطف باليد في الأسبوع الأول من الموسم"],
];
const people = ["Amira Haddad", "田中 美咲", "نور الدين", "Tomasz Nowak", "שרה לוי"];
const currencies = ["EUR", "JPY", "KWD"];

/** A shop in 40 languages, with names in Arabic, Hebrew and Japanese, and 2,000 products, customers and orders. */
export function* worldOperations(imageOf: (glaze: string) => string): Generator<Operation> {
  for (const code of codes.slice(1)) {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
    yield { intent: "language/upsert", code, name };
  }
  yield { _ref: "vat", intent: "vatType/upsert", name: "Standard", percent: 25 };
  yield { intent: "customer/group/upsert", identifier: "tea-houses", name: "Tea houses" };
  const description = { id: "description", name: "Description", type: "richText" };
  const pictures = { id: "pictures", name: "Pictures", type: "images" };
  yield {
    ...{ intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product" },
    components: [description, pictures],
  };
  for (let number = 0; number < 2_000; number++) yield* product(number, imageOf);
  for (let number = 0; number < 2_000; number++) yield customer(number);
  for (let number = 0; number < 2_000; number++) yield order(number);
}

const teaOf = (number: number) => teas[number % teas.length] ?? ["en", "Tea"];

function* product(number: number, imageOf: (glaze: string) => string): Generator<Operation> {
  const [language, name] = teaOf(number);
  const shared = { intent: "product/upsert", resourceIdentifier: `tea-${number}`, shapeIdentifier: "tea" };
  const key = `{{ upload "${imageOf(number % 2 === 0 ? "moss" : "celadon")}" }}`;
  yield {
    ...{ ...shared, language, name: `${name} ${number}`, vatTypeId: "{{ vat.id }}" },
    components: [
      { componentId: "description", richText: { html: [`<p>${name}.</p>`, `<p>${name}, ${number}.</p>`] } },
      ...(number < 50 ? [{ componentId: "pictures", images: [{ key, altText: name }] }] : []),
    ],
    variants: ["50", "100"].map((grams, i) => ({
      ...{ sku: `tea-${number}-${grams}`, name: `${name}, ${grams} g`, isDefault: i === 0 },
      priceVariants: [{ identifier: "default", price: 4 + ((number * 7) % 30) }],
      ...(number < 50 && { images: [{ key, altText: name }] }),
    })),
  };
  for (const code of number === 0 ? codes.filter((each) => each !== language) : [])
    yield { ...shared, language: code, name: `${name} (${code})` };
}

const personOf = (number: number) => {
  const [firstName = "", lastName = ""] = people[number % people.length]?.split(" ") ?? [];
  return { identifier: `person-${number}`, type: "individual", firstName, lastName };
};

const customer = (number: number): Operation => ({
  ...{ intent: "customer/upsert", ...personOf(number), email: `person-${number}@example.com` },
  addresses: [
    { type: "delivery", street: "شارع النيل", streetNumber: `${number}`, city: "القاهرة", country: "EG" },
  ],
  parents: [{ identifier: "tea-houses", type: "customerGroup" }],
});

function order(number: number): Operation {
  const currency = currencies[number % currencies.length];
  const cart = Array.from({ length: 1 + (number % 5) }, (_, line) => {
    const [gross, quantity] = [4 + line * 3, 1 + (line % 3)];
    const [, name] = teaOf(number + line);
    const price = { currency, gross, net: gross * 0.8, tax: { name: "VAT", percent: 25 } };
    return { sku: `tea-${(number + line) % 2_000}-100`, name, quantity, price };
  });
  const gross = cart.reduce((sum, { price, quantity }) => sum + price.gross * quantity, 0);
  const net = gross * 0.8;
  return {
    ...{
      intent: "order/upsert",
      resourceIdentifier: `W-${10_000 + number}`,
      cart,
      customer: personOf(number % 40),
    },
    paymentStatus: ["paid", "unpaid", "partiallyRefunded"][number % 3],
    total: { currency, gross, net, tax: { name: "VAT", percent: 25, amount: gross - net } },
  };
}
