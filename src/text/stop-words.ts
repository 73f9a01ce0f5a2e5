function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word.length > 0));
}

/** Function words of English and German: they carry no subject, so they are never searched for. */
export const STOP_WORDS = words(`
a about above across after again against ain all along already also although always am amid among an and another
any anybody anyone anything anyway are aren around as at away back be became because been before behind being below
between both but by came can cannot cant come could couldn d did didn do does doesn doing don done dont down during
each either else etc even ever every everybody everyone everything for from further get gets getting go goes going
gone got had hadn has hasn have haven having he hello hence her here hers herself hey hi him himself his how however
i id if im in indeed instead into is isn it its itself ive just kind kinda let lets like ll lot lots m many may maybe
me might more most much must my myself near need needs neither no nobody none nor not nothing now o of off ok okay on
once one ones only onto or other others our ours ourselves out over own per perhaps please quite rather re really
s same shall she should shouldn since so some somebody somehow someone something sometimes somewhere sort still such
sure t than thanks that thats the their theirs them themselves then there therefore these they thing things this
those though through thus to too toward towards um under until unto up upon us ve very via was wasn way we well were
weren what whatever when where whether which while who whoever whole whom whose why will with within without won
would wouldn yeah yes yet you your yours yourself yourselves
aber alle als am an auch auf aus bei bin bis bist da damit dann das dass dein dem den denn der des dich die dies diese
dieser doch dort du durch ein eine einem einen einer eines er es etwas euch für gegen habe haben hat hatte hier ich
ihr im ist ja jede jetzt kann kein keine man mein mich mir mit nach nein nicht noch nun nur ob oder ohne schon sehr
sein sich sie sind so soll sondern und uns unser vom von vor war warum was weg weil wenn werden wie wieder wir wird wo
zu zum zur über an bist dabei dafür dazu damals euer eure gab geht gibt hast hatten ihm ihn ihre ihren können könnte
kannst mal muss müssen musst nichts seine seit sollen sollte sollten unsere unserem unseren unserer waren welche welchem
welchen welcher welches wen wem wer woran womit wohin worden wurde wurden zwischen`);

/**
 * What is left of a question about a time and nothing else: "what did we decide on 22 October", "was haben wir
 * gestern gemacht". Searching for these words would find records that speak of deciding, not decisions.
 */
export const ACTIVITY_WORDS = words(`
accomplish accomplished achieve achieved activities activity agree agreed change changed changes choose chose chosen
decide decided decision decisions discuss discussed event events finish finished fix fixed go happen happened happening
learn learned learnt list made make notes notable progress recap remember remind session sessions settle settled show
summarise summarize summary tell touch touched work worked working did done
abgemacht ausgemacht änderten änderung änderungen besprochen beschlossen beschluss entschieden entscheidung
entscheidungen entschlossen erledigt gearbeitet geändert gemacht geschafft geschehen getan gelernt los passiert
vereinbart zeig zeige zusammenfassung`);

/** The same in scripts without spaces, longest first, with the particles between. */
export const CJK_ACTIVITY =
  /していましたか|していました|しましたか|決めました|やりました|起きました|教えてください|していた|しました|決めた|やった|起きた|教えて|ください|こと|した|決定|変更|作業|私たち|我々|何か|何が|何を|なに|なん|何|私|我们|我們|我|咱们|做了|做过|做|干了|什么|甚麼|什麼|哪些|决定|決策|决策|修改|改了|改|修了|修|发生|發生|事情|事|工作|定了|过|了|的|在|有|吗|か|は|の|を|に|が|で|と/g;

/**
 * Words that steer the running conversation rather than name a subject. A prompt of nothing else is an
 * acknowledgement and gets no memories (pain 84).
 */
export const CONVERSATION_WORDS = words(`
abort accept ack agree agreed alright amazing approve approved awesome bye cancel cheers confirm confirmed continue cool
correct deny done exactly excellent fine forget glad go good great greetings haha hah hmm hold lgtm look looks lovely
morning afternoon evening night next nice nope nah nevermind never mind no ok option pause perfect perfectly please proceed
quit reject ahead sound resume retry right second first third last skip sounds whatever start stop super sure thank thanks thx ty true undo
revert wait welcome wonderful works wow wrong yep yes yup fair enough bitte danke gut genau hallo klar machen mach
passt perfekt richtig super stimmt tschüss weiter weitermachen moin servus fertig
oui non merci continuer bonjour salut gracias hola sí si vale sigue bien obrigado sim olá grazie ciao va bene`);

/** Words of a request that say what to do, not about what: they count, but little. */
export const REQUEST_WORDS = words(`
add anything ask build can change check collect could create describe do explain find fix give happen have help
history implement know learn list look make mean new open please provide put question recall remember remind said
say see set show stuff summarise summarize tell think thing time try understand update use used using want way week
work worked write yesterday today tomorrow again ago actually currently bring`);

/** Acknowledgements written without spaces, longest first. */
export const CJK_CONVERSATION = [
  'ありがとうございました',
  'ありがとうございます',
  'よろしくお願いします',
  'お願いいたします',
  'おはようございます',
  'お願いします',
  '続けてください',
  '大丈夫です',
  'わかりました',
  '分かりました',
  'ありがとう',
  'こんにちは',
  '了解しました',
  '承知しました',
  '了解です',
  '続けて',
  'やめて',
  '止めて',
  '次へ',
  '了解',
  '承知',
  'いいえ',
  'そうです',
  'いいです',
  'はい',
  'うん',
  'です',
  'ます',
  '没有问题',
  '没问题',
  '谢谢你',
  '没关系',
  '可以的',
  '继续吧',
  '就这样',
  '好的',
  '继续',
  '繼續',
  '谢谢',
  '謝謝',
  '可以',
  '不用',
  '不是',
  '不要',
  '停止',
  '取消',
  '你好',
  '是的',
  '好吧',
  '好了',
  '对的',
  '下一步',
  '下一个',
  '明白',
  '收到',
  '行',
  '好',
  '对',
  '是',
  '不',
  '嗯',
  '吧',
  '了',
  '네',
  '아니요',
  '계속',
  '감사합니다',
];
