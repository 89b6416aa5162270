/// The themes that a workspace has without a list of its own: docs/feedback-themes.md#the-list.
package enum ShippedThemes {
  package static let all = [
    Theme(id: "crash", title: "Crashes and freezing", terms: terms(crash)),
    Theme(id: "waiting", title: "Limits and waiting", terms: terms(waiting)),
    Theme(id: "price", title: "Price and payment", terms: terms(price)),
    Theme(id: "ads", title: "Advertising", terms: terms(ads)),
    Theme(id: "account", title: "Sign-in and account", terms: terms(account)),
    Theme(id: "messages", title: "Messages and notifications", terms: terms(messages)),
    Theme(id: "people", title: "Fake profiles and abuse", terms: terms(people)),
    Theme(id: "search", title: "Search and filter", terms: terms(search)),
    Theme(id: "speed", title: "Speed and battery", terms: terms(speed)),
    Theme(id: "design", title: "Design and legibility", terms: terms(design)),
  ]

  /// The terms of lines in which commas stand between them.
  private static func terms(_ lines: String) -> [String] {
    lines.split { $0 == "," || $0.isNewline }.map(\.trimmed).filter { !$0.isEmpty }
  }

  // One line a language: English, German, Spanish, Turkish, Arabic, then others.

  private static let crash = """
    crash*, freez*, froze*, hangs, hanging, stops working, stopped working, won't open, force clos*
    doesn't open, does not open, closes by itself, keeps closing, shuts down
    Absturz*, Abstürz*, stürzt, abgestürzt, hängt sich auf, friert, eingefroren, öffnet sich nicht
    se cierra, se congela*, se traba*, se cuelga, se bloquea, no abre
    donuyor, donma*, dondu, çöküyor, çöktü, çökme*, kapanıyor, açılmıyor
    يتوقف, توقف, تتوقف, ينهار, انهيار, يعلق, يغلق, لا يفتح
    plante, plantage*, se ferme, se bloque, trava*, fecha sozinho, si blocca, si chiude, crasha
    keluar sendiri, macet, बंद हो, हैंग, 落ちる, 落ちます, フリーズ, 固まる, 튕*, 멈춰*, 闪退, 崩溃, 卡死
    вылета*, завис*, вилітає, zawiesza, קורס*, נתקע*, เด้ง, ค้าง, κολλά*, بند ہو
    """

  private static let waiting = """
    wait*, timer*, countdown*, cooldown*, limit, limits, limited, per day, only 3, only three
    Wartezeit*, warten, Limit*, begrenzt*, Countdown*, eingeschränkt
    esperar, espera, límite*, limitad*, contador, temporizador
    bekle*, sınır*, limit*, hakkı, hakkım, süre*
    انتظار, الانتظار, انتظر, محدود*, حد, الحد, عداد, مؤقت
    attendre, attente, limite*, limité*, aspettare, attesa, esperando, contagem, menunggu, nunggu
    tunggu, इंतज़ार*, इंतजार*, 制限, 待つ, 待ち, 回数, 기다*, 제한*, 等待, 限制, ждать, ожидани*
    лимит*, чекати, czekać, limit*, להמתין, לחכות, รอนาน, จำกัด, περιμέν*, انتظار, maghintay
    """

  private static let price = """
    price*, expensive, pay, paid, paying, payment*, charge, charged, refund*, money, subscription*
    subscrib*, scam, rip off
    teuer, Preis*, bezahl*, zahlen, Geld, Abo, Abos, Abonnement*, abgebucht, Erstattung*
    caro, cara, precio*, pagar, pagué, pago, dinero, suscripción*, reembolso*, estafa
    pahalı, ücret*, para, parası, öde*, abonelik*, iade
    غالي, سعر, السعر, دفع, الدفع, اشتراك*, مال, فلوس, استرداد
    cher, prix, payer, payé, argent, abonnement*, remboursement*, preço, paguei, dinheiro, assinatura*
    costoso, prezzo, soldi, abbonamento, mahal, bayar, uang, महंगा, पैसे, 高い, 課金, 料金, 비싸*, 결제*, 환불*
    太贵, 付费, 退款, дорого, деньги, подписк*, гроші, drogo, pieniądze, יקר, כסף, แพง, ακριβ*, mahal
    """

  private static let ads = """
    ad, ads, advert*, commercial*, spam ads
    Werbung*, Anzeigen, Reklame
    anuncio*, publicidad
    reklam*
    اعلان*, الاعلان*
    pub, pubs, publicité*, propaganda*, anúncio*, pubblicità, iklan, विज्ञापन*, 広告, 광고*, 广告
    реклам*, reklam*, פרסומ*, โฆษณา, διαφημίσ*, اشتہار*
    """

  private static let account = """
    log in, login, logged out, sign in, signed out, password*, account, verification, verify code
    can't register, banned, suspended
    anmelden, Anmeldung, einloggen, Passwort, Konto, gesperrt, registrier*
    iniciar sesión, contraseña*, cuenta, registr*, bloquearon
    giriş, şifre*, hesab*, hesap*, kayıt
    تسجيل, الدخول, حساب*, الحساب, كلمه السر, محظور
    connexion, connecter, mot de passe, compte, senha, conta, entrar na conta, accedere, masuk, akun
    लॉगिन, अकाउंट, ログイン, アカウント, 로그인*, 계정*, 登录, 账号, войти, аккаунт*, пароль, увійти
    zalogować, konto, להתחבר, חשבון, เข้าสู่ระบบ, บัญชี, σύνδεση, λογαριασμ*
    """

  private static let messages = """
    message*, notification*, notify, chat, chats, voice message*, photo upload*
    Nachricht*, Benachrichtigung*, Chat, Chats, Mitteilung*
    mensaje*, notificacion*, notificación, chat, chats
    mesaj*, bildirim*, sohbet*
    رساله, رسائل, الرسائل, محادث*, اشعار*, دردش*
    notification*, mensagem, mensagens, notificaç*, messaggi*, notific*, pesan, notifikasi, संदेश*
    मैसेज*, メッセージ, 通知, 메시지*, 알림*, 消息, 通知, сообщени*, уведомлени*, повідомлен*
    wiadomoś*, powiadomie*, הודעות, הודעה, התראות, ข้อความ, แจ้งเตือน, μηνύματ*, ειδοποιήσ*, پیغام*
    """

  private static let people = """
    fake*, bot, bots, scammer*, spam*, harass*, rude, abus*, block people, report people, inappropriate
    Fakes, Fake*, Betrüger*, Belästig*, unhöflich, Spam
    falso*, falsa*, perfiles falsos, acos*, spam, estafador*
    sahte, taciz*, dolandırıcı*, bot hesap*, spam
    وهمي*, مزيف*, تحرش, مزعج*, احتيال
    faux profil*, faux, arnaque*, harcèlement, falsos, golpe*, bloquear gente, falsi, molest*, palsu
    penipu*, नकली, फर्जी, 詐欺, 偽, サクラ, 가짜, 사기*, 虚假, 骗子, фейк*, мошенник*, шахра*, oszust*
    מזויפ*, ปลอม, ψεύτικ*, جعلی, peke*
    """

  private static let search = """
    search*, filter*, nearby, my city, online list, the list, find people, see everyone
    Suche*, suchen, Filter*, in der Nähe, Umgebung
    búsqueda*, buscar, filtro*, cerca
    ara, arama*, filtre*, yakın*
    بحث, البحث, فلتر*, تصفيه, قريب*
    recherche*, filtre*, busca*, pesquisa*, filtro*, ricerca, cari, pencarian, saring*, खोज*, फिल्टर*
    検索, フィルター, 검색*, 필터*, 搜索, 筛选, поиск*, фильтр*, пошук*, фільтр*, szukani*, filtr*
    חיפוש, סינון, ค้นหา, αναζήτησ*, φίλτρ*, فلٹر*, paghahanap
    """

  private static let speed = """
    slow*, lag, lags, laggy, loading, takes forever, battery, late
    langsam*, lädt, ruckel*, Akku*, verspätet
    lento, lenta, tarda*, tarde, batería, carga
    yavaş*, kasıyor, kasma*, geç, pil, batarya
    بطيء*, بطء, تاخير, متاخر*, البطاريه, تحميل
    lent, lente, lenteur*, batterie, rame, lento*, demora*, batteria, lemot, lambat, धीमा, धीमी, 遅い
    重い, 電池, 느려*, 느리*, 늦게, 배터리*, 很慢, 太慢, 耗电, медленн*, тормоз*, повільн*, wolno
    איטי*, סוללה, ช้า, แบต, αργεί, αργό, μπαταρία, سست, mabagal
    """

  private static let design = """
    design, ugly, unreadable, dark mode, font*, layout, colour*, color*, confusing, too small
    Design, hässlich, unlesbar, Dunkelmodus, Schrift*, unübersichtlich
    diseño, feo, ilegible, modo oscuro, letra*, confus*
    tasarım*, çirkin, okunmuyor, karanlık mod, yazı tipi, karışık
    تصميم*, التصميم, قبيح, الوضع الداكن, الخط, مربك
    moche, illisible, mode sombre, police, feio, ilegível, modo escuro, brutto, grafica, jelek
    tampilan, डिज़ाइन, डिजाइन, デザイン, 見にくい, 文字, 디자인*, 글씨*, 界面, 难看, дизайн*
    некрасив*, wygląd, brzydk*, עיצוב, ดีไซน์, σχεδιασμ*, ڈیزائن*
    """
}
