const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Words that sample texts are made of. Plain letters only: a character is a byte. */
export const givenNames = list(`
  Ada Al Amara Anton Bea Bo Carla Chidi Clara Cy Dalia Dev Ed Elena Emil Esra Eva Farid Fay Finn Greta Hana Hugo
  Ian Ida Ines Ivo Jana Jo Jonas Kai Karim Kofi Lea Leo Lin Luca Magda Mai Marek Mia Mina Nadia Nils Noor Ola
  Oscar Pablo Pia Quinn Rania Remi Rosa Ruth Sam Sanne Sol Sven Tariq Tess Uma Vera Viktor Wanda Yara Yusuf Zoe
  Alexandra Benedikt Bernadette Christopher Dominique Frederica Konstantin Maximiliane Sebastiano Theodora`);
export const familyNames = list(`
  Abel Adeyemi Bauer Berg Blum Cho Costa Cruz Diaz Duarte Eng Falk Fischer Garcia Haas Hahn Horvat Ito Jansen Kaur
  Keller Khan Kim Klein Kova Lang Larsen Lim Lopes Lund Maier Mensah Mori Nagy Nash Novak Oduya Okafor Olsen Park
  Perez Petit Popov Quist Ramos Ray Rossi Roth Salim Santos Sato Schulz Silva Singh Soto Stern Tan Torres Ueda
  Vega Vogel Wang Weber Wolf Wu Yang Young Zhou Zimmer Abernathy Castellanos Featherstone Hohenberger Vandermeer`);
export const things = list(`
  bag bell bench bike blanket boat book boots bottle bowl box brush bucket candle cap carpet chair clock coat comb
  compass cup desk drum fan flute fork frame glass globe glove hammer harp hat helmet jacket jar kettle key kite
  knife ladder lamp lantern mat mirror mug net oven pan pen pillow pin plate pot radio ring rope rug saddle sail
  scarf shelf shirt sofa spoon stool stove table tent tie torch towel toy tray vase violin wallet watch wheel`);
export const qualities = list(`
  amber blue bold brass brave bright brown calm clear cold cool copper cosy crisp deep dry early fair fine firm
  fresh gentle golden grand green grey happy heavy high hollow huge kind large late light little long loud low
  lucky mild narrow neat new noble odd old oak open pale pine plain proud quick quiet rare red ripe rough round
  royal rusty sharp short shy silent silver simple slim slow small smooth soft solid steep still stone strong
  sunny sweet swift tall tender tiny walnut warm white wide wild wise woollen young`);
export const plain = list(`
  a above after again all also always and any as at away be because been before began behind below best better
  between both bring but by came can change come could day did do does done down each early end enough even ever
  every far few find first for found four from full gave get give go good great had half has have he help her
  here him his home how if in into is it its just keep kind know large last late left less let life like little
  live long look made make man many may me might mind more most much must my name near need never new next night
  no not now of off often old on once one only open or order other our out over own part place point quite read
  right room said same saw say see seem set she should show side small so some soon still such take tell than
  that the their them then there these they thing think this those though thought time to together told too took
  toward turn two under until up us use very wait want was water way we week well went were what when where which
  while white who whole why will wish with word work world would year yes yet you young your afternoon altogether
  beginning carefully certainly difference everything everybody happening immediately important neighbourhood
  remembering something sometimes surprising understanding`);
export const cities = list(`
  Accra Aden Amman Athens Bari Basel Bath Berlin Bern Bilbao Bogota Bonn Boston Bremen Brno Cairo Cork Dakar Delhi
  Dover Dublin Fez Galway Geneva Genoa Ghent Graz Hanoi Hull Izmir Jena Kobe Kyoto Lagos Leeds Leon Lille Lima
  Linz Lisbon Lucca Lyon Mainz Malmo Metz Milan Nantes Nice Oslo Oulu Paris Perth Pisa Porto Prague Quito Riga
  Rome Rouen Seoul Siena Split Tampa Tokyo Trier Turin Ulm Vaduz Vienna York Zug Zurich Alexandria Copenhagen
  Johannesburg Montevideo Thessaloniki Wolverhampton`);
export const streets = list(`
  Apple Beech Birch Bridge Canal Castle Cedar Cherry Church Cliff Dale Elm Fern Field Forge Garden Glen Grove Hazel
  Hill Holly Ivy King Lake Lark Lime Long Maple Market Mill North Oak Orchard Park Pear Pine Pond Queen Ridge
  River Rose School South Spring Station Stone Sun Vale Vine West Willow Wood`);
export const countries = list(
  "AT AU BE BR CA CH CZ DE DK ES FI FR GB GR IE IN IT JP KE KR MX NG NL NO PL PT SE US ZA",
);
export const currencies = list("EUR USD GBP CHF JPY SEK NOK DKK PLN CZK CAD AUD");
export const languages = list("de en es fr it nl pl pt sv tr");
export const colours = list(
  "amber black blue brown gold green grey olive orange pink purple red silver teal white",
);
export const states = list(
  "active closed done draft new open paid ready sent waiting archived cancelled",
);
export const domains = list(
  "example.com example.org example.net mail.example post.example a.example",
);
